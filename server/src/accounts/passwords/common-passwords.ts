import { fold } from '../login.ts'

// The top of leaked password lists: common words in several languages, and keyboard patterns.
const WORDS = new Set(
  `
0000 00000 000000 0000000 00000000 000000000 0000000000 000000000000 007007 012345 0123456 01234567 012345678
0123456789 098765 0987654321 100200 100200300 1004 1010 101010 10101010 102030 10203040 1020304050 102938 1029384756
110110 1111 11111 111111 1111111 11111111 111111111 1111111111 111111111111 111222 111222333 111222333444 112233
11223344 1122334455 112233445566 121212 12121212 1212121212 123 123000 123123 123123123 123123123123 123321 1234
12341234 123412341234 1234321 12344321 12345 1234512345 123454321 1234554321 123456 123456123456 12345654321
123456654321 1234567 12345678 123456789 1234567890 123456789012 1234567890q 1234567891 12345678910 123456789a
123456789q 123456987 123456a 123456q 123456qwerty 12345abc 12345qwert 1234abcd 1234qwer 123654 123654789 123abc
123abcd 123qwe 123qweasd 123qweasdzxc 131313 13131313 1313131313 1314520 1337 133713 13579 135790 135792468
1357924680 141414 147258 147258369 147852 147852369 151515 159357 159753 159951 161616 171717 181818 191919 1a2b3c
1a2b3c4d 1q2w3e 1q2w3e4r 1q2w3e4r5t 1q2w3e4r5t6y 1q2w3e4r5t6y7u 1qaz 1qaz2wsx 1qaz2wsx3edc 1qaz2wsx3edc4rfv 1qazxsw2
202020 20202020 212121 2222 222222 22222222 232323 23232323 242424 2468 246810 24681012 252525 25802580 258456
271828 31337 31415926 314159265 3141592653 321321 321654 321654987 3333 333333 33333333 343434 420420 4444 444444
44444444 454545 456123 456456 456789 5201314 520520 5555 55555 555555 55555555 555666 565656 654321 6666 666666
66666666 666999 676767 696969 69696969 753159 753951 7654321 7777 77777 777777 7777777 77777777 7777777777 787878
789456 789456123 789789 8675309 87654321 876543210 8888 88888 888888 88888888 8888888888 898989 909090 969696 987654
98765432 987654321 9876543210 989898 9999 999999 99999999 999999999 9999999999 a123456 a1234567 a12345678 a123456789
a1b2c3 a1b2c3d4 a1b2c3d4e5 a1s2d3 a1s2d3f4 a5201314 aa123456 aa12345678 aaaa aaaaa aaaaaa aaaaaaa aaaaaaaa aaaaaaaaa
aaaaaaaaaa aaaaaaaaaaaa aabbcc aabbccdd aaron abc abc123 abc12345 abc123456789 abcabc abcd abcd1234 abcd123456
abcdabcd abcde abcdef abcdefg abcdefgh abcdefghi abcdefghij abcdefghijkl abcdefghijklmnop abdullah abracadabra
access access12 access14 acdc acdcacdc acmilan adam adm1n adm1nistrator admin admin123admin adminadmin administrator
adminpassword adrian aerosmith africa ahmed aini1314 airforce ajax alaska albert aleksandr alessandro alexander
alexandra alexandre alfred alhamdulillah alien aliens allahuakbar allison aloha always amanda amazing amazon amber
amen america american amizade amor amorcito anaconda andrea andreas andrew angel angela angelica angelito angelo
angels anna annabelle ansible anthony antonio anything apache apollo apollo11 apollo13 apple apples april aquarius
aragorn archangel arduino argentina ariel aries arizona army arsenal arthur asd123 asdasd asdf asdf1234 asdfasdf
asdfg asdfgh asdfgh123 asdfghj asdfghjk asdfghjkl asdfzxcv asdqwe asdzxc ashley assassin asshole atlantis audi
august austin australia austria autumn avalanche avatar avengers awesome azerty azertyuiop baby babyboy babydoll
babygirl babylon5 backup backups bacon badboy badgirl ballet banana bananas barbara barcelona bartsimpson baseball
basketball bassguitar bastard batman battery batterystaple battlefield battlestar bayern bayernmunich bear bears
beatles beatrice beautiful beckham beethoven beetle benfica benjamin berlin bernard besiktas bestfriend bestfriends
bethany beyonce bible bienvenue bigboy bigdaddy bigdog biggirl bigmac bilbo billionaire birthday bismillah bitch
bitches black blackberry blackbird blacksabbath blade bladerunner blah blahblah blessed blessing blink blink182
blizzard blue blueberry bluebird bmw bmwbmw bobcat bocajuniors bond007 bonheur bonita bonjour bonjovi borussia
boston bourbon boxing boyfriend bradley brandon brasil braveheart brazil breakingbad brenda brian britney brittany
broccoli broncos brother brownie bubbles bubbles1 budweiser bugsbunny bulldog bulldogs bulls bullshit bunny burrito
business buster butter buttercup butterfly butterscotch buzzlightyear cadillac cairo california callofduty camaro
cameron canada cancer candy candyman cappuccino capricorn captain captainamerica captainmorgan caramel cardinal
cardinals carlos carolina caroline cartman casablanca casanova cash cassandra catherine catwoman cde3 cecilia celtic
celtics challenger champion champions changeit changeme changeme123 changemenow changethis chargers charity
charizard charles charlie charmed cheese cheeseburger cheesecake cheetah chelsea chelsea1 cherries cherry chester
chevrolet chevy chewbacca chicago chicagobulls chicken children chimpanzee china chocolate chouchou christ christian
christina christine christmas christopher chrysler church cinderella cinnamon cintaku cisco cisco123 citroen clave
cobra cocacola cocksucker coconut coffee coldplay college colombia colorado columbia commander company computer
confidential connor contrasena contrasenya cookie cookies corazon corinthians corona correct correcthorse
correcthorsebatterystaple corvette cosmos cougar cougars counterstrike courtney cowboys crusader crystal cupcake
cutie cutiepie cycling cynthia daddy daisy dakota dallas dancer dancing daniel danielle darling darthvader darwin
database daughter david davinci daylight deadpool debian deborah december default defaultpassword demo demon denise
dennis denver depechemode desert desktop destiny deutschland developer devil diablo diamond diamonds diana dickhead
digimon discovery dmitry docker doctor doctorwho dodge dodgers dollar dollars dolphin dolphins donald donaldduck
donotuse donttouch doom doraemon dorothy dortmund doudou douglas dragon dragonball dragonballz dragonfly dreamer
dreaming dreams drpepper drummer drums drupal ducati dumbledore dylan eagle eagles earth earthquake easter eclipse
edison eduardo edward egypt einstein eleanor elephant elizabeth elvis emerald emily eminem emma engineer england
enter enterprise enterprise1701 eric erica ernesto espana espresso esther estrella eternal eternity eugene everton
everything example exodus expired explorer facebook faith falcon falcons fallout familia family familyguy fantastic
fantasy father fatima february fedora felicidad felix fenerbahce fernando ferrari feyenoord fightclub firebird
firebird1 firefighter firefly firefly1 fireman firstlogin fishing flamengo flintstone florence florida flower
flowers fluffy fluffy1 football ford fordf150 forest forever forgetit forgetme fortnite fortune france francesco
francis francisco francois frank franklin frankreich frederick freedom freud friday friend friends frodo froggy
frontier fruehling fucker fuckme fuckoff fuckyou fussball gabriel gabriela gabrielle galactica galatasaray
galatasaray1 galaxy galileo gameofthrones gandalf ganesh gangsta gangster garfield gatorade gecko geheim geheim1
geheim123 gemini general genesis george georgia gerald germany gfhjkm ghost giants ginger giovanni giraffe
girlfriend github gitlab giuseppe gladiator gloria godbless godfather godisgood godzilla goku gold golden goldeneye
goldfinger golf golfer gollum goodboy goodbye goodgirl goodmorning goodnight goodpassword goofy google goose gordon
gorgeous gorilla grace grandma grandpa green greenday gregory grizzly gryffindor guest guestguest guinness guitar
gummybear gunsnroses gustavo hacker hackers hahaha hahahaha halflife hallelujah hallo hallo123 hallohallo halloween
halo hamburg hamburger hamlet hamster handsome hannah hardcore harley harleydavidson harold harry harrypotter haslo
hasło hawaii hawk hawks heather heaven heavymetal hehehe heineken heisenberg helen hell hello hello123456 hellohello
hellokitty hellothere helloworld helpme henry herbst hermione hermosa hihihi hiphop hobbit hockey hocuspocus
hogwarts hola holiday holmes homer homersimpson honda honey honeybee honeybunny hope horizon horse horses hotdog
hotgirl hotrod hottie houston howard hulk hummer hunter hunter2 hunting hurricane husband husky iamgod iamthebest
ibrahim icecream iceman ichliebedich idontcare idontknow iguana illusion ilovedad ilovegod iloveher ilovehim
ilovejesus iloveme ilovemom iloveyou immortal imthebest inception india indonesia infinity initial initpass
inshallah instagram intermilan internet invincible ireland ironmaiden ironman isabel isabella isabelle island
islander istanbul italia ivanov jack jackdaniels jackpot jackson jacob jacques jaguar jaimatadi jakarta james
jamesbond jamie janet january japan jasmine jason jedi jeep jeffrey jellybean jenkins jennifer jenny jeremy jessica
jesus jesus1 jesuschrist jetaime jira johanna john johnny johnson joker jonathan joomla jordan jordan23 jorge jose
joseph joshua juan judo juergen julia julian juliana julie juliet july june jupiter justice justin justinbieber
juventus karate karen karma katherine kathleen kawasaki keepout kelly kenneth kevin keyboard khaleesi khan kilroy
kimberly kingkong kirk kitten kittens kitty kittycat klaus knight knights knockknock kocham kochamcie korea krishna
kristen kristina kubernetes ladybug lakers lakshmi lalala lalalala lamborghini laptop larry lasagna laura lauren
laurent lawyer ledzeppelin legend legendary legolas lemon lemonade lenovo leo leonardo leonardo1 leopard leslie
letmein letmein123 letmeinnow letmeinplease lexus liberty libra liebe lightning lily linda linkedin linkinpark linux
lion lions lisa liverpool lizard lkjhg lkjhgfdsa logan login logon lollol lololol london looneytunes lordoftherings
lorenzo losangeles losenord loser lottery louise loulou love lovely loveme lover lovers loveyou lowrider lozinka
lucas lucifer lucky lucky13 lucky7 luckyone lucy luigi lukeskywalker lyubov macbeth macintosh madison madonna mafia
magento magic magician major manager manchester manchesterunited mancity mango manila manuel manutd maradona march
marcus margaret maria mariadb mariana marie marina marina1 marine marines mario mark marlene mars marseille
marshmallow martha martin martina mary maserati mason master matrix matthew matthias maurice maverick maxwell may
mazda megadeth megan melanie melissa member mercedes mercedesbenz mercury messi metal metallica mexico miamor
michael michaeljackson michelle michigan mickey mickeymouse microsoft midnight miguel milkshake millennium million
millionaire minecraft minnie miranda misiek mitsubishi mnbvc mnbvcxz mohammed molly mommy monday money moneymoney
mongodb monica monitor monkey monkeys monster monsters montreal moonbeam moonchild moonlight moonraker morgan
morocco morpheus moscow motdepasse mother motherfucker motorola mountain mountaindew mountains mouse mozart muffin
muhammad mumbai munich music musica musician mustafa mustang mustang1 mustangs mustchange myfamily mypassword
myprecious mysql mysterious mystery nachos nagios narnia naruto nascar nascar24 natalia natalie natasha natasha1
nathan navigator navy ncc1701 ncc1701d nemo neptune netflix network neverland nevermind newcastle newpassword newton
newyear newyork neymar nginx nicholas nicole nigeria nighthawk nightmare nightwing nihao nikita ninja nintendo
nirvana nissan nokia nono nopassword nothing nothing123 november number1 numberone nurse ocean october office okok
oldpassword oliver olivia omsairam onedirection onepiece onetime oops opendoor opensesame openthedoor openthegate
openup operator oracle orange oranges orchid oscar othello owner p4ssw0rd p4ssword p@55w0rd p@ssw0rd p@ssw0rd123
p@ssword pa$$w0rd pa$$word pa55w0rd pa55word packers pacman pakistan pakistan1 palmeiras pamela panasonic pancake
panda pandabear panther panthers paola paradise paramedic paris parol parola parole pass pass1234 pass12345 passcode
passkey passme passphrase passw0rd passw0rd123 password password0 passwords passwort passwort123 pathfinder patricia
patrick patriots paul paula peaches peanut peanutbutter pearl pearljam pedro peekaboo penguin penguins penthouse
pepper peppers pepsi peter peugeot philip philippines philips phillip phoenix piano picard picasso pickle pickles
pierre pikachu pilot pineapple pinkfloyd pioneer pirate pirates pisces pizza planet platinum playboy playstation
please pleasehelp pluto poiuy poiuytrewq pokemon polarbear police polska pony poodle popcorn popeye porn pornstar
porsche porto portugal postgres potato potter praise prayer precious preciousss predator princesa princess priscilla
private privet programmer pulpfiction pumpkin punkrock puppet puppies puppy purple pussy pussycat python q123456
q12345678 q1w2e3 q1w2e3r4 q1w2e3r4t5 q1w2e3r4t5y6 qazwsx qazwsxedc qazwsxedcrfv qazxsw qqqq qqqqqq qqqqqqqq quake
queen qwaszx qwe123 qwe12345 qwe123qwe qweasd qweasdzxc qweqwe qwer qwer1234 qwerasdf qwerqwer qwert qwert12345
qwerty qwerty123456 qwertyui qwertyuio qwertyuiop qwertz qwertzuiop rabbit rachel racing radiohead rafael raiders
rainbow rainbows rajesh rambo ramirez ramona ranger ranger1 rangers raspberry raspberrypi rattlesnake raven ravens
raymond realmadrid rebecca red redbird redbull redis redmine redskins redsox reggae remember rememberme renault
ricardo richard rihanna river robert roberto robin roblox rockandroll rocket rocketman rocknroll rockstar rocky
rockyou rodriguez roger rollingstones romeo ronald ronaldinho ronaldo rooney rooster root rootpassword rootroot rose
rosebud rosemary roses rottweiler ruby running russell russia sagittarius sailor sailormoon sairam salasana samantha
sample samsung samuel samurai sandra sandwich sanjay santiago saopaulo sapphire sarah sasuke satan saturday saturn
sauron sayang scarface schatz schatzi school scientist scooby scoobydoo scorpio scorpion scotland scott sebastian
secret secreto secretpassword secrets secure security security1 sega senha senha123 september serenity sergeant
sergey server sesame sexy sexybaby sexygirl shadow shadow1 shakespeare shakira shanghai shark sharks sharon shazam
sheila sheriff sherlock shirley shithead shogun shrek siemens sifre sifre123 signin silver simba simon simpsons
singapore sister siteadmin skating skeleton skiing skylark skyline skyrim skywalker skywalker1 slayer slipknot
slytherin smirnoff sniper snoopy snowball snowflake snowman snowwhite soccer softball soldier soleil solnce
something sommer sonic sonnenschein sophia sophie sorcerer sorry southpark spaceship spaghetti spartan spartans
spencer spider spiderman spitfire spock spongebob spotify spring sprite squirrel stallion stanley staple starcraft
stardust starfish stargate starlight starship startrek startrek1 starwars stayout steelers stefan stefano stella
stephanie stephen steven storm stormtrooper stormy strawberry strongpassword student subaru subversion success sugar
summer sunday sunflower sunnyday sunrise sunset sunshine supergirl superman supernatural superstar superuser
supervisor surfing susan suzuki sweet sweetheart sweetie sweetness swimming swordfish sylvia sysadmin system tardis
taurus taylor taylorswift tea teacher teamo teamomucho tekken temp templar temporary temppassword tennis tequiero
tequila teresa terminator terraform tesla test testaccount tester testing testpassword testtest testuser tetris
texas thanks thanksgiving thankyou thebest theodore thepassword theresa thinkpad thomas thor thorsten thunder
thunderbird thunderbolt thursday thx1138 tiffany tiger tigers tigger timothy tinkerbell titanic tokyo tomato tomcat
tommy toor topdog topgun topsecret torchwood tornado toronto toshiba tottenham toyota trial trinity tristan trojan
trojans troubador troubadour trumpet trustno1 tsunami tuesday tuleap tulip tupac turkey turtle tweety twilight
twitter tyler u2u2u2 ubuntu unicorn unicorns universe university unstoppable uranus user username userpassword
useruser vacation vader vagrant valentin valentina valentine valerie vampire vancouver vanessa vangogh vanilla
vegeta venus veronica vfhbyf victoria victory vienna viking vikings vincent vincenzo violet violin viper virginia
virgo visitor vivian vladimir vodka volcano voldemort volkswagen volleyball volvo voyager wachtwoord waffle
walkingdead walter warcraft warlock warrior warriors wasd washington watermelon waypost webadmin wednesday weekend
welcome welcomeback welcomehome welkom welkom01 wendy werewolf wesley westeros whale whatever whatisit whatsup
whiskey white whoami wien wife wildcat wildcats wildfire william willkommen windows winner winners winston winter
winteriscoming witch wizard woaini woaini1314 woaini520 wolf wolfgang wolfpack wolverine wolves wonderful
wonderwoman wordpress worldofwarcraft wrestling wsxedc wwwwww xavier xbox xbox360 xsw2 xxxx xxxxxx xxxxxxxx yamaha
yankees yellow yesyes yfnfif yoda yolanda yourpassword youtube yxcvbnm z1x2c3 z1x2c3v4 zabbix zachary zaq1 zaq12wsx
zaq1xsw2 zaqwsx zaqxsw zebra zelda zombie zvezda zxc123 zxcasdqwe zxcv zxcvb zxcvbn zxcvbnm zxcvbnm123 zxczxc zzzz
zzzzzz zzzzzzzz
`
    .trim()
    .split(/\s+/),
)

// Common suffixes that people add to a simple password.
const ENDINGS = [
  ...'0 00 007 01 1 11 111 12 123 123123 1234 12345 123456 1234567 12345678 123456789 1234567890 321 69 99'.split(' '),
  ...'! !! 1! 123! . ? @123 #1'.split(' '),
  ...Array.from({ length: 60 }, (_, count) => String(1980 + count)),
]

/** Whether the password is guessed first: a common word, alone, repeated, or with a common suffix. */
export function isCommonPassword(password: string): boolean {
  const text = fold(password)
  const [, repeated = text] = /^(.+?)\1+$/s.exec(text) ?? []
  if (WORDS.has(text) || WORDS.has(repeated) || repeated.length < 3) return true
  return ENDINGS.some((ending) => text.endsWith(ending) && WORDS.has(text.slice(0, -ending.length)))
}
