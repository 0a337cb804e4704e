import type { SeededRandom } from "../loader/seeded-random.ts";

// Texts of requests. A phrase has choices in brackets, [a|b|c], and words in braces, {room}, that stay the same within one
// request.

// biome-ignore format: many to a line
export const words: Readonly<Record<string, readonly string[]>> = {
  instrument: ["microscope M9", "level N2", "theodolite T4", "stereo microscope S3", "autocollimator", "refractometer R1", "long telescope", "objective tester", "dioptre bench"],
  room: ["Convex", "Concave", "Meniscus", "Prism", "Fresnel", "Achromat", "Aperture", "Iris"],
  floor: ["the ground floor", "the second floor", "floor 3", "floor 4", "the fifth floor", "floor 7", "the top floor", "the canteen wing"],
  program: ["Draughtsman", "Raytrace", "the time sheet", "Prisma", "the spreadsheet program", "the PDF reader", "the screen recorder"],
  mailbox: ["calibration", "orders-europe", "invoices", "fairs", "quality", "spare-parts", "applications", "press"],
  folder: ["Lens drawings", "Price lists", "Audit", "Onboarding", "Fair photographs", "Supplier contracts", "Test protocols", "Board papers", "Firmware builds", "Budget"],
  customer: ["Observatory Hohenfels", "Larkspur Laboratories", "the University of Westmarch", "Tidewater Surveying", "Clinic Sankt Anna", "Fennimore Optics", "the Harbour Authority", "Alder and Sons"],
  order: ["SO-41877", "SO-42019", "SO-42244", "SO-42310", "SO-42555", "SO-42718", "SO-42903", "SO-43012", "SO-43166", "SO-43290"],
  invoice: ["90417", "90488", "90533", "90602", "90671", "90745", "90810", "90899"],
  serial: ["M9-20417", "M9-20988", "N2-7713", "T4-1189", "S3-55021", "R1-3317", "M9-21340", "T4-1202"],
  day: ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday"],
  when: ["since this morning", "since yesterday", "since the restart", "since the update", "for an hour now", "since Monday", "again"],
  colleague: ["a new colleague", "our trainee", "Bea's successor", "an intern from Delft", "the night shift", "a contractor"],
  number: ["4", "6", "8", "10", "12", "14", "20"],
  port: ["2.14-B", "3.07-A", "1.22-C", "4.11-A", "5.03-B"],
  country: ["Norway", "Chile", "South Korea", "Canada", "Portugal", "Vietnam", "Kenya"],
  machine: ["VM-QH-01", "VM-QH-02", "VM-QH-03", "VM-QH-05", "VM-QH-06", "VM-QH-07"],
};

export type Scenario = {
  /** the service instance, or "network" for that of the requester's site */
  about: string;
  category: "incident" | "rfc" | "rfi" | "other" | "complaint" | "compliment";
  /** relative frequency */
  weight: number;
  subject: string;
  note: string;
  /** a question of the specialist, and the answer to it */
  ask?: string;
  answer?: string;
  fix: string;
  template?: string;
  article?: string;
  /** assigned to the support team at once, without the service desk */
  straight?: true;
};

// biome-ignore format: a table keeps its columns
export const scenarios: readonly Scenario[] = [
  // mail
  { about: "mail", category: "incident", weight: 5, subject: "[Cannot open|No access to|I do not see] the shared mailbox {mailbox}", note: "[Hello, |Hi, |]the mailbox {mailbox} [is missing|does not open|asks for a password] {when}. [My colleagues can open it.|Nobody in our team can open it.|I need it for the month end.]", ask: "Do you see it in the browser version?", answer: "[In the browser it works.|No, not there either.]", fix: "[The permission had been lost; granted again.|Restarted the mail program together, the mailbox came back.|Membership of the group was missing, added.]", article: "mailbox" },
  { about: "mail", category: "incident", weight: 4, subject: "[Mail to|Messages to] {customer} [comes back|is returned|does not arrive]", note: "[Everything I send to|My mail to] {customer} [comes back with an error|seems not to arrive]. [The quotation has to be there today.|They say they got nothing.]", ask: "Could you forward one of the returned messages to us, please?", answer: "[Forwarded.|Sent you two of them.]", fix: "[Their server refused large attachments. Sent as a link instead.|We were on a block list for an hour; removed.|The address had a typing error in the address book.]" },
  { about: "mail", category: "incident", weight: 3, subject: "Calendar [shows meetings an hour too late|shows the wrong time|lost a series of meetings]", note: "[Every meeting|The weekly meeting with {customer}|A series of meetings] is wrong {when}. [I missed one already.|It looks right on the phone.]", fix: "[The time zone of the laptop was set to somewhere else.|The series was made anew by its owner.|Corrected the time zone in the mail settings.]" },
  { about: "mail", category: "rfc", weight: 4, subject: "[New|A] shared mailbox {mailbox}[ for our team|]", note: "We [need|would like to have] a shared mailbox [called|with the name] {mailbox}. [Members: the whole team.|Please give access to me and my manager.]", fix: "[The mailbox {mailbox} is there. It appears within the hour.|Made, and you are its owner.]", template: "mailbox" },
  { about: "mail", category: "rfc", weight: 4, subject: "[Add|Please add] {colleague} to the distribution list {mailbox}", note: "[Please add|Could you add] {colleague} to {mailbox}[, starting {day}|].", fix: "[Done.|Added; it takes an hour until everybody's address book knows.]", template: "distribution" },
  { about: "mail", category: "rfi", weight: 3, subject: "How [do I|can I] [send large files to {customer}|say that I am away|see the calendar of the room {room}]?", note: "[I could not find it in the manual.|Is there an article about this?|Somebody told me there is a way.]", fix: "[There is an article about it, linked.|Explained by telephone.]", article: "away" },
  { about: "mail", category: "incident", weight: 2, subject: "Mailbox [is full|full, cannot send]", note: "I cannot send any more, the mailbox [is full|says it is over its limit]. [I deleted everything I could.|I keep everything since 2009, is that the reason?]", fix: "[Archived everything older than two years together.|Moved the attachments of old messages to the archive.]" },

  // network
  { about: "network", category: "incident", weight: 7, subject: "[Wireless|WiFi] [drops|is slow|does not connect] on {floor}", note: "[Wireless on {floor} is hardly usable|The wireless network keeps dropping|My laptop does not find the network] {when}. [Others have it, too.|With the cable it works.|It is worst near the windows.]", ask: "Which room number is nearest to you?", answer: "[It is right beside room {room}.|Between {room} and the stairs.]", fix: "[The access point was restarted and behaves again.|Changed the channel of the access point.|An access point had lost its power; a new cable helps.|The laptop preferred the guest network; told it not to.]", template: "wireless", article: "wireless" },
  { about: "network", category: "incident", weight: 5, subject: "VPN [does not connect|stops every few minutes|asks for a code again and again]", note: "[From home|From the hotel|At {customer}] VPN [does not connect|drops all the time] {when}. [At home it worked last week.|The internet itself is fine.]", ask: "Does it work with the hotspot of your phone?", answer: "[With the phone it works.|Same with the phone.]", fix: "[The hotel wanted its conditions accepted first.|Installed the current version of Quillhaven Connect.|The certificate of the laptop had expired; renewed.]", template: "vpn", article: "vpn" },
  { about: "network", category: "incident", weight: 3, subject: "Network socket {port} [is dead|does not work]", note: "Socket {port} gives no connection. [The test bench of the {instrument} needs it.|I moved there this morning.]", fix: "[The socket was not patched; it is now.|Replaced the cable in the cabinet.|Port switched to the right network.]" },
  { about: "network", category: "rfc", weight: 3, subject: "[Connect|A network connection for] [the test bench|a {instrument}|a label printer] at {port}", note: "[We set up|On {day} we set up] [a new test bench|a {instrument}] at {port} and need a connection[ to the laboratory network|].", fix: "[Patched and tested.|Done; the address is on the sticker.]" },
  { about: "network", category: "incident", weight: 2, subject: "[Everything|The network] is slow [in the works|in our office|on {floor}]", note: "[Opening a drawing takes minutes|Everything takes for ever] {when}. [The whole department waits.|Half of us went for coffee.]", fix: "[A backup ran during the day; moved back to the night.|One switch had errors on its uplink; the cable was replaced.]" },
  { about: "network", category: "rfi", weight: 2, subject: "Internet for [visitors from {customer}|{number} visitors|a fair stand]", note: "[How do visitors get on the internet?|We expect {number} people on {day}.]", fix: "[Codes are at the front desk.|Sent a code for the day.]", article: "guest" },

  // computer
  { about: "computer", category: "incident", weight: 6, subject: "[Laptop|My laptop|Computer] [is very slow|does not start|freezes|is loud and hot]", note: "[My laptop|It] [takes ten minutes to start|freezes several times a day|sounds like a starting aeroplane] {when}. [I restarted it.|I did not restart it yet, so much is open.]", ask: "When did you restart it the last time? Closing the lid does not count.", answer: "[Yesterday evening.|About three weeks ago, I am afraid.]", fix: "[A restart and the pending updates did it.|The disk was full; removed old versions of the program.|Fan cleaned. There was a whole lawn in it.|Replaced the laptop; the old one goes back to the supplier.]", template: "slow", article: "slow" },
  { about: "computer", category: "incident", weight: 4, subject: "[Second screen|Screen] [stays black|flickers|is not found] at the dock", note: "The [left|right|second] screen [stays black|flickers] {when}. [At home it works.|I changed the cable already.]", fix: "[Dock without power for ten seconds, then it was fine.|New cable.|Replaced the docking station.]", article: "dock" },
  { about: "computer", category: "incident", weight: 4, subject: "{program} [does not start|crashes|says there is no license]", note: "{program} [crashes when I open a drawing|does not start|complains about a license] {when}. [I need it for the {instrument}.|My colleague has the same.]", ask: "Which message does it show, word for word?", answer: "[I attached a picture to a mail to you.|It says error 0x8007, and then nothing.]", fix: "[Installed again.|A license was free again after somebody came back from lunch.|Settings of the program reset.]", article: "cad" },
  { about: "computer", category: "rfc", weight: 5, subject: "[Install|Please install|I need] {program}[ on my laptop|]", note: "[For the work on the {instrument} I need|Could you install] {program}[, please|]. [My manager agrees.|I had it on the old laptop.]", fix: "[Installed by remote control.|It is in the self-service of your laptop now.]", template: "software" },
  { about: "computer", category: "rfc", weight: 4, subject: "[A headset|Headset|A quiet keyboard|An upright mouse|A second screen] [for me|for {colleague}|]", note: "[Mine broke.|The old one has a loose contact.|My wrist would be grateful.|For {colleague}, who starts on {day}.]", fix: "[It is at the service desk, ready to be collected.|Sent by internal mail.]", template: "accessory" },
  { about: "computer", category: "incident", weight: 2, subject: "[Coffee|Tea|Water] in the [keyboard|laptop]", note: "It was [my cat|a colleague|me]. The laptop [still runs|is off] and lies upside down on a towel.", fix: "[Dried over the weekend, works again. Lucky.|Gave a replacement; data restored from the server.]" },
  { about: "computer", category: "rfi", weight: 2, subject: "When [do I|does {colleague}] get a new laptop?", note: "[Mine is four years old.|It is on the list, I was told.]", fix: "[It is planned for next quarter.|Explained: four years from the day of delivery.]" },

  // access
  { about: "access", category: "incident", weight: 8, subject: "[Account locked|Cannot sign in|Password does not work|Locked out]", note: "[I cannot sign in|My account is locked|My password is not accepted] {when}. [I changed it on Friday.|I have a customer on the line.|My phone keeps asking, too.]", fix: "[Unlocked after calling back. The phone still had the old password.|New password set after calling back.|It unlocked itself; explained why it happens.]", template: "password", article: "locked" },
  { about: "access", category: "rfc", weight: 7, subject: "Access to [the folder {folder}|{program}|the mailbox {mailbox}][ for me| for {colleague}|]", note: "[Please give|I need|Could you give] access to [the folder {folder}|it], [until the end of the month|for the project with {customer}|as my predecessor had it].", ask: "Who is the owner and agrees?", answer: "[My manager agrees, in copy.|The owner is on holiday; his deputy says yes.]", fix: "[Granted. It works after signing in again.|Granted until the end of the month.]", template: "permission" },
  { about: "access", category: "incident", weight: 3, subject: "New phone, [no codes any more|second factor is gone]", note: "I have a new phone, and the app with the codes is empty. [The old one is at the shop.|I still have the old one.]", fix: "[Came by with the badge; second factor set up anew.|Moved it from the old to the new phone together.]", article: "twofactor" },
  { about: "access", category: "rfi", weight: 2, subject: "Who [has access to|is the owner of] the folder {folder}?", note: "[For the audit I need a list.|I would like to know before I put something there.]", fix: "[Sent the list.|The owner is named in its properties; explained where.]", article: "folder" },

  // telephony
  { about: "telephony", category: "incident", weight: 3, subject: "[Nobody can hear me|Echo|No sound] [in calls|on the telephone|with the headset]", note: "[In calls|When I call {customer}] [nobody hears me|I hear myself] {when}.", fix: "[The wrong microphone was chosen.|Headset replaced.|Updated the program for calls.]" },
  { about: "telephony", category: "rfc", weight: 3, subject: "[Roaming for|Mobile data in] {country}", note: "I travel to {country} from {day} on[, for a week|, to {customer}|].", fix: "[Switched on for the time of your journey.|Done. Good journey.]", article: "travel" },
  { about: "telephony", category: "rfc", weight: 2, subject: "[Forward|Redirect] the number of [the sales desk|{colleague}|customer care]", note: "[From {day} on|While we are at the fair], calls should go to my mobile.", fix: "[Set up.|Forwarded, and the end date is noted.]" },

  // printing
  { about: "printing", category: "incident", weight: 5, subject: "Printer on {floor} [jams|prints stripes|does not print|is out of toner]", note: "The printer on {floor} [jams at every second page|prints grey stripes|shows an error|swallowed the delivery notes for {customer}] {when}.", ask: "Which number is on the yellow sticker?", answer: "[PRT-EHV-03.|It says 02 at the end, the rest is gone.]", fix: "[Parchment and Pixel changed the drum.|Toner changed.|Removed a paper clip from where none should be.|Queue cleared, it prints again.]", article: "jam" },
  { about: "printing", category: "incident", weight: 2, subject: "[Labels|Label printer] for {order} [come out blank|are shifted by a centimetre]", note: "The labels for {order} are [blank|shifted], the lorry comes [at noon|today].", fix: "[Calibrated the label printer.|The roll was put in the wrong way round.]" },
  { about: "printing", category: "rfi", weight: 1, subject: "[Print in colour|Scan to a folder|Print in London]: how?", note: "[I am here for two days only.|The display does not say.]", fix: "Sent the article.", article: "printer" },

  // files
  { about: "files", category: "rfc", weight: 4, subject: "[Restore|Please restore|Bring back] [a file in|the folder] {folder}", note: "[Somebody deleted|I have overwritten] [a file in|part of] {folder}. It was still right on {day}.", ask: "Do you know the exact name of the file?", answer: "[It begins with 2024_final_final.|I only know that it had a picture of a {instrument} in it.]", fix: "[Restored beside the original.|Restored from the night before {day}.]", template: "restore", article: "restore" },
  { about: "files", category: "incident", weight: 3, subject: "Drive [is gone|not connected|cannot be found][ {when}|]", note: "[My drive|The team drive with {folder}] is not there {when}.", fix: "[Connected again; VPN was off.|The laptop had been asleep for too long. A restart helped.]" },
  { about: "files", category: "rfc", weight: 2, subject: "New team folder {folder}", note: "Please make a folder {folder} for [our team|the project with {customer}]. [Owner: me.|Owner: my manager.]", fix: "The folder is there, and its owner can give access to others." },

  // erp
  { about: "erp", category: "incident", weight: 6, subject: "[Order|Sales order] {order} [is blocked|cannot be posted|shows the wrong price]", note: "{order} for {customer} [has a red lock|cannot be posted|shows a price of zero] {when}. [It should leave today.|The customer calls every hour.]", ask: "Which text stands beside the lock?", answer: "[It says Technical.|Price, I think.]", fix: "[The interface had stopped; restarted, and {order} went through.|The price list had expired; Sales has extended it.|The lock was a credit limit; Finance has been told.]", article: "order" },
  { about: "erp", category: "incident", weight: 3, subject: "Invoice {invoice} [was printed twice|has no tax|is missing]", note: "Invoice {invoice} for {customer} [went out twice|has no tax on it|cannot be found].", fix: "[Cancelled the second one.|Tax code of the customer corrected.|It was in last month's folder.]" },
  { about: "erp", category: "rfi", weight: 4, subject: "[Report|List|Figures] of [open orders|stock of spare parts|deliveries to {customer}|service hours by {instrument}]", note: "[For the meeting on {day} I need|Could you send me] the figures [of this quarter|of last month|since January]. [A spreadsheet is fine.|No graphics, please.]", fix: "[Sent. It is also a saved query now, so you can run it yourself.|Sent by mail.]", template: "report" },
  { about: "erp", category: "incident", weight: 3, subject: "Prisma [is slow|hangs|logs me off][ {when}|]", note: "Prisma [hangs when I save|logs me off every ten minutes|is unbearably slow] {when}. [Everybody here says so.|Only me, it seems.]", fix: "[A report with no end was stopped.|Cleared the cache of the client.|Statistics of two tables were out of date.]" },
  { about: "erp", category: "rfc", weight: 2, subject: "[New field|Additional column] [in the delivery note|for the serial number|in the list of spare parts]", note: "[Our customers ask|{customer} asks] for [the serial number|a second reference] on the delivery note.", ask: "Should it be on all delivery notes or for this customer alone?", answer: "[For all.|For this one to begin with.]", fix: "[In production with the release of {day}.|Done with a text field that was there already.]" },

  // portal
  { about: "portal", category: "incident", weight: 4, subject: "[Certificate|Calibration certificate] of {serial} [is missing|cannot be opened|is of another instrument]", note: "{customer} cannot [find|open] the certificate of {serial} in the portal. [They have an audit on {day}.|The calibration was last week.]", fix: "[Published again by hand; the nightly run had skipped it.|The serial number had a space in it. Corrected.|The certificate was attached to the neighbour's instrument. Moved.]", article: "certificate", straight: true },
  { about: "portal", category: "incident", weight: 3, subject: "{customer} [cannot sign in to the portal|gets no mail from the portal]", note: "[They tried three times.|The mail with the link does not arrive.] [Could you look today?|They are patient, but not for ever.]", fix: "[Account enabled again.|Their mail filter had eaten it; sent again.]", straight: true },
  { about: "portal", category: "rfc", weight: 3, subject: "Portal: [show the next calibration date|sort instruments by site|download all certificates at once|a French translation]", note: "[{customer} asked for it, and they are not the first.|Would make customer care's life easier.|Seen at a competitor.]", fix: "[Delivered with the sprint of this week.|In production.]", straight: true },

  // security
  { about: "security", category: "incident", weight: 4, subject: "[Suspicious message|Strange mail|Phishing?] [from our chief executive|about a parcel|about my mailbox|from {customer}]", note: "[I got this message and did not click.|I clicked, sorry.|It asks for gift cards.|The address looks odd.]", fix: "[Well spotted: it was fraud. The sender is blocked for everybody.|False alarm, it was real. Better once too often.|Password changed, nothing else happened. Thank you for telling at once.]", template: "phishing", article: "phishing" },
  { about: "security", category: "rfi", weight: 1, subject: "May I [use {program} at home|send drawings to {customer}|plug in a found USB stick]?", note: "[I would rather ask first.|The policy has forty pages.]", fix: "[Yes, with the conditions in the linked article.|Please do not. Explained why.]" },

  // workplace
  { about: "rooms", category: "incident", weight: 4, subject: "[Projector|Screen|Camera] in {room} [shows no picture|is pink|does not switch on]", note: "[The projector in|In] {room} [there is no picture|everything is pink] {when}. [We have {customer} here at two.|We moved next door.]", fix: "[The cable with the yellow ring was loose.|Lamp changed.|Restarted; all is well.]", article: "room" },
  { about: "rooms", category: "other", weight: 1, subject: "{room} is always [booked and empty|taken]", note: "[It is booked every day, and nobody sits in it.|We looked through the door: empty.]", fix: "Series of bookings without people were cancelled after asking their owners." },
  { about: "badges", category: "rfc", weight: 5, subject: "[Visitor|Visitors] from {customer} on {day}", note: "[On {day}|At ten on {day}] {number} people from {customer} visit us[, I receive them|]. [Parking, please.|They want to see the {instrument}.]", fix: "[Badges are ready at the front desk.|Announced, parking reserved.]", template: "visitor", article: "visitor" },
  { about: "badges", category: "rfc", weight: 3, subject: "[Badge lost|New badge|Badge does not open the laboratory]", note: "[I lost my badge|My badge does not open the door of the laboratory] {when}.", fix: "[New badge handed out, the old one is blocked.|Door added to the badge.]", template: "badge" },
  { about: "catering", category: "rfc", weight: 5, subject: "Lunch for {number} in {room} on {day}", note: "[Please order|We need] lunch for {number} people in {room}, [at noon|at half past twelve]. [Two without meat.|One of us is allergic to nuts.|No salad with raisins, please.]", fix: "[Ordered at Copper Kettle.|Ordered and confirmed.]", template: "lunch" },
  { about: "catering", category: "complaint", weight: 1, subject: "[Coffee machine|The coffee] on {floor} [tastes of soup|is out of beans]", note: "[Morale is low.|This is urgent in a way that your form does not know.]", fix: "[Cleaned. It now tastes of coffee.|Beans refilled.]" },
  { about: "catering", category: "compliment", weight: 1, subject: "Thank you for the lunch on {day}", note: "{customer} [loved it|asked for the recipe]. [Thank you!|Please tell the kitchen.]", fix: "Passed on to the kitchen, who were pleased." },
  { about: "buildings", category: "incident", weight: 5, subject: "[Too cold|Too warm|Heating does not work] [on {floor}|in {room}]", note: "It is [16|17|27|28] degrees [here|at my desk] {when}. [I work with gloves.|The plants complain as well.]", fix: "[Valve was stuck; it moves again.|Heating curve corrected.|Window closed. It had been open behind the curtain.]", template: "repair", article: "cold" },
  { about: "buildings", category: "incident", weight: 4, subject: "[Lamp|Light] [flickers|is dark] [on {floor}|in {room}|in the car park]", note: "[The lamp above my desk flickers|It is dark] {when}.", fix: "[Lamp replaced.|Starter replaced.]", template: "repair" },
  { about: "buildings", category: "incident", weight: 2, subject: "[Water|A leak] [below the sink|from the ceiling] on {floor}", note: "There is water on the floor [below the sink|near the window]. [We put a bucket there.|The bucket is nearly full.]", fix: "[Seal replaced.|Roof gutter cleaned; a nest was in it, moved with care.]", template: "repair" },
  { about: "moves", category: "rfc", weight: 3, subject: "[Move|Moving] [of my desk|{number} desks] to {floor}", note: "[On {day}|Next week] [I move|we move] to {floor}. [Crates, please.|The fern comes along.]", fix: "[Moved on {day}.|Crates delivered, desks moved, fern alive.]", template: "move" },
  { about: "moves", category: "rfc", weight: 2, subject: "[Chair|My chair] [squeaks|sinks|is broken]", note: "[It sinks slowly during the day, and so do I.|The whole office hears it.]", fix: "[Exchanged.|Gas spring replaced.]" },

  // provider
  { about: "monitoring", category: "incident", weight: 6, subject: "{machine}: [disk above 90 %|no answer for two minutes|processor at its limit|certificate expires in 14 days]", note: "Alert of the night shift for {machine}. [Seen twice.|First time this week.]", fix: "[Log files compressed.|Answered again before anybody could do anything.|Certificate renewed.|Process restarted.]", template: "alert" },
  { about: "hosting", category: "rfc", weight: 3, subject: "[More memory|More disk|A snapshot] for {machine}", note: "[Asked for by Quillhaven IT by telephone.|Planned for {day}, 22:00.]", fix: "[Done without an interruption.|Done in the window.]" },
];

/** Chooses one variant of a phrase. */
export function renderPhrase(phrase: string, chance: SeededRandom, chosen: Map<string, string>): string {
  const decided = phrase.replace(/\[([^[\]]*)\]/g, (_, choices: string) => chance.pick(choices.split("|")));
  const filled = decided.replace(/\{(\w+)\}/g, (_, name: string) => {
    const known = chosen.get(name);
    if (known !== undefined) return known;
    const word = chance.pick(words[name] ?? []);
    chosen.set(name, word);
    return word;
  });
  const text = filled
    .replace(/\s+/g, " ")
    .replace(/ ([.,?])/g, "$1")
    .trim();
  return text.charAt(0).toUpperCase() + text.slice(1);
}
