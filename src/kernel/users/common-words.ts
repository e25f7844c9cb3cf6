// The words of common passwords, in lower case and with ä written as ae: German and English words, names, places and
// whole phrases. weak-password.ts combines them with digits, years, keyboard rows and letters written as digits.

const PASSWORD_WORDS = `
passwort password passwd kennwort losung parole geheim geheimnis secret secure sicher sicherheit security zugang access
login logon anmelden anmeldung admin administrator root superuser user benutzer default standard change changeme aendern
letmein lassmichrein welcome willkommen hallo hello moin servus master meister chef boss manager system server computer
laptop rechner internet netzwerk network wlan wifi router hotspot unifi ubiquiti ubnt fritzbox speedport telekom vodafone
windows microsoft google facebook youtube instagram whatsapp apple iphone samsung android amazon netflix linux ubuntu
test tester testing probe demo beispiel example temp temporary guest gast gaeste hotel pension hostel gasthof gasthaus
restaurant camping rezeption empfang reception voucher gutschein zimmer room service office buero firma company kasse
private privat start anfang finde nichts nothing whatever egal keine ahnung none trustno trust geheimwort abcd asdf qwert
qwertz qwerty azerty yxcv zxcv wasd`;

const LOVED_WORDS = `
liebe liebling love lover lovely loveyou iloveyou ichliebedich schatz schatzi maus mausi hase hasi baer baerchen engel
angel prinz prinzessin princess prince koenig king queen baby mama papa mutter vater mother father familie family freund
freunde friend friends freundin kinder oma opa sohn tochter herz heart kuss sweet sweety honey sugar sexy girl boys
dragon drache monkey affe tiger loewe lion eagle adler wolf hund hunde katze katzen kater pferd pferde horse fisch vogel
dolphin delfin schmetterling butterfly elefant panda hamster kaninchen flower flowers blume blumen rose rosen sunshine
sonnenschein sonne sun stern sterne star stars mond moon himmel heaven regenbogen rainbow feuer fire wasser water eis
diamond diamant silber silver gold orange banane banana apfel erdbeere kirsche cherry ginger pepper cookie keks kuchen
chocolate schokolade kaffee coffee kaese cheese pizza bier beer wein whisky butter zucker salz wurst`;

const LEISURE_WORDS = `
fussball football soccer baseball basketball hockey handball tennis golf ski fahrrad motorrad auto porsche ferrari
mercedes audi volkswagen honda yamaha harley corvette mustang bayern schalke borussia dortmund werder hsv eintracht
werkself hertha stpauli arsenal chelsea liverpool barcelona juventus superman batman spiderman ironman starwars pokemon
pikachu mario zelda minecraft fortnite matrix hunter killer ninja pirat pirate samurai ranger soldier warrior krieger
magic magie zauber shadow schatten ghost geist phantom vampire zombie dragonball naruto gandalf hobbit potter harry
guitar gitarre musik music metallica nirvana beatles gaming gamer spieler player poker lucky glueck super mega ultra
freedom freiheit forever fuerimmer peace frieden happy gluecklich geil cool hammer krass alles klar bitte danke thanks
please scheisse arschloch fuck fuckyou shit bitch asshole verdammt`;

const TIME_WORDS = `
sommer summer winter herbst autumn fruehling fruehjahr spring montag dienstag mittwoch donnerstag freitag samstag sonntag
monday tuesday wednesday thursday friday saturday sunday januar februar maerz april juni juli august september oktober
november dezember january february march june july october december heute morgen gestern today tomorrow tag nacht day
night urlaub ferien holiday weihnachten christmas ostern easter silvester geburtstag birthday jahr year`;

const PLACE_WORDS = `
berlin hamburg muenchen munich koeln cologne frankfurt stuttgart duesseldorf leipzig dresden hannover nuernberg bremen
essen bonn wien vienna salzburg innsbruck graz zuerich zurich basel bern genf deutschland germany oesterreich austria
schweiz switzerland europa europe england london paris italien italia spanien mallorca amerika america newyork texas
california bodensee nordsee ostsee alpen allgaeu tirol schwarzwald strand meer berge`;

const NAMES = `
michael andreas thomas stefan stephan christian martin daniel alexander markus matthias peter wolfgang klaus juergen
bernd uwe frank ralf rainer holger torsten sven jens oliver sebastian tobias florian philipp patrick benjamin dennis
kevin marcel maximilian jonas lukas leon felix paul finn anna maria julia laura lisa sarah sandra nicole stefanie
stephanie melanie katharina christina christine claudia susanne sabine petra monika martina andrea birgit karin ursula
renate brigitte angelika jennifer jessica vanessa nadine anja tanja heike silke simone emma mia hannah sophie marie
lena leonie john james robert david william richard charles joseph jordan matthew andrew joshua anthony george charlie
michelle ashley amanda elizabeth samantha rachel nicola maggie buster bailey rocky bella luna max charly sammy balu
mueller schmidt schneider fischer weber meyer wagner becker schulz hoffmann smith johnson williams jones mustermann
maxmustermann erika`;

/** Whole phrases, without the blanks. */
const PHRASES = `
correcthorsebatterystaple ichbindochnichtbloed geheimespasswort sesamoeffnedich opensesame thisisapassword
dasisteinpasswort dasistgeheim meinpasswort mypassword passwordpassword yourpassword ihrpasswort deinpasswort
wieheisstdu werbinich whoami iamthebest ilovehim ilovemy fuckoff ficken letmeinnow abrakadabra hakunamatata
supercalifragilisticexpialidocious donaudampfschifffahrt donaudampfschiff franzjagtimkomplettverwahrlostentaxi
thequickbrownfox loremipsum nevergonnagiveyouup maytheforcebewithyou winteriscoming`;

/** Short words that often stand between other words. They do not make a password harder to guess. */
const SMALL_WORDS = `
mein meine dein deine unser unsere euer ihr ich bin ist das der die den dem des ein eine eines neu neue neues neuer alt
und oder von mit fuer auf zum zur im in am an my mine your our the is am are new old and for with to of on at me you we
this that bitte dich mich du wir hier jetzt now here`;

const words = (text: string) => text.trim().split(/\s+/);

export const COMMON_WORDS: readonly string[] = [
  PHRASES,
  PASSWORD_WORDS,
  LOVED_WORDS,
  LEISURE_WORDS,
  TIME_WORDS,
  PLACE_WORDS,
  NAMES,
].flatMap(words);

export const FILLER_WORDS: readonly string[] = words(SMALL_WORDS);
