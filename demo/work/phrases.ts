import type { SeededRandom } from "../loader/seeded-random.ts";

// Texts of requests. A phrase has choices in brackets, [a|b|c], and words in braces, {room}, that stay the same within one
// request.

// biome-ignore format: many to a line
export const words: Readonly<Record<string, readonly string[]>> = {
  instrument: ["microscope M9", "level N2", "theodolite T4", "stereo microscope S3", "autocollimator", "refractometer R1", "long telescope", "objective tester", "dioptre bench"],
  room: ["Convex", "Concave", "Meniscus", "Prism", "Fresnel", "Achromat", "Aperture", "Iris"],
  floor: ["the ground floor", "floor 2", "floor 3", "floor 4", "floor 5", "floor 7", "the top floor", "floor 6"],
  program: ["Draughtsman", "Raytrace", "the timesheet app", "Prisma", "the spreadsheet app", "the PDF reader", "the screen recorder"],
  mailbox: ["calibration", "orders-europe", "invoices", "trade-shows", "quality", "spare-parts", "applications", "press"],
  folder: ["Lens drawings", "Price lists", "Audit", "Onboarding", "Trade show photos", "Supplier contracts", "Test reports", "Board papers", "Firmware builds", "Budget"],
  customer: ["Hohenfels Observatory", "Larkspur Laboratories", "the University of Westmarch", "Tidewater Surveying", "St. Anna Clinic", "Fennimore Optics", "the Harbor Authority", "Alder and Sons"],
  order: ["SO-41877", "SO-42019", "SO-42244", "SO-42310", "SO-42555", "SO-42718", "SO-42903", "SO-43012", "SO-43166", "SO-43290"],
  invoice: ["90417", "90488", "90533", "90602", "90671", "90745", "90810", "90899"],
  serial: ["M9-20417", "M9-20988", "N2-7713", "T4-1189", "S3-55021", "R1-3317", "M9-21340", "T4-1202"],
  day: ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday"],
  when: ["since this morning", "since yesterday", "since I restarted", "since the update", "for the past hour", "since Monday", "since last night"],
  colleague: ["a new team member", "our trainee", "Bea's replacement", "our intern from Delft", "the night shift", "a contractor"],
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
  /** assigned to the support team directly, without the service desk */
  straight?: true;
};

// biome-ignore format: a table keeps its columns
export const scenarios: readonly Scenario[] = [
  // mail
  { about: "mail", category: "incident", weight: 5, subject: "[Can't open|No access to|Can't find] the shared mailbox {mailbox}", note: "[Hello, |Hi, |]the {mailbox} mailbox [has been missing|hasn't opened|has been asking for a password] {when}. [My colleagues can open it.|No one on our team can open it.|I need it for month-end.]", ask: "Can you see it in the web version?", answer: "[Yes, it works in the browser.|No, not there either.]", fix: "[Your permission had been removed. I've added it back.|We restarted the mail app together and the mailbox came back.|You weren't in the group. I've added you.]", article: "mailbox" },
  { about: "mail", category: "incident", weight: 4, subject: "[Email to|Messages to] {customer} [bouncing|being returned|not arriving]", note: "[Everything I send to|My email to] {customer} [bounces with an error|doesn't seem to arrive]. [They need our quote today.|They say they haven't received anything.]", ask: "Could you forward us one of the bounced messages, please?", answer: "[Just forwarded one.|I've sent you two of them.]", fix: "[Their server rejects large attachments. I've sent it as a link instead.|We were on a blocklist for an hour. We've been removed.|There was a typo in the address book. It's fixed now.]" },
  { about: "mail", category: "incident", weight: 3, subject: "Calendar [shows meetings an hour late|shows the wrong time|lost a recurring meeting]", note: "[Every meeting|The weekly meeting with {customer}|A recurring meeting] has been wrong {when}. [I've already missed one.|It looks right on my phone.]", fix: "[Your laptop was set to another time zone. Fixed.|The organizer has recreated the series.|I've corrected the time zone in your mail settings.]" },
  { about: "mail", category: "rfc", weight: 4, subject: "[New|Create a] shared mailbox {mailbox}[ for our team|]", note: "We [need|would like] a shared mailbox [called|named] {mailbox}. [Please add the whole team.|Please give access to me and my manager.]", fix: "[The {mailbox} mailbox is ready. It should appear within the hour.|Created. You're the owner.]", template: "mailbox" },
  { about: "mail", category: "rfc", weight: 4, subject: "[Add|Please add] {colleague} to the distribution list {mailbox}", note: "[Please add|I'd like to add] {colleague} to {mailbox}[ from {day}|].", fix: "[Done.|Added. It can take up to an hour to show in everyone's address book.]", template: "distribution" },
  { about: "mail", category: "rfi", weight: 3, subject: "How [do I|can I] [send large files to {customer}|set an out-of-office reply|see the calendar for room {room}]?", note: "[I couldn't find it in the help.|Is there an article about this?|A colleague told me it's possible.]", fix: "[There's an article about this. I've linked it.|Explained over the phone.]", article: "away" },
  { about: "mail", category: "incident", weight: 2, subject: "Mailbox [is full|full, can't send]", note: "I can't send anything because my mailbox [is full|is over its limit]. [I've deleted everything I could.|I've kept everything since 2009. Could that be why?]", fix: "[We archived everything older than two years together.|I've moved attachments from old messages to the archive.]" },

  // network
  { about: "network", category: "incident", weight: 7, subject: "[Wi-Fi|WiFi] [keeps dropping|is slow|won't connect] on {floor}", note: "[The Wi-Fi on {floor} has been almost unusable|The Wi-Fi has been dropping|My laptop hasn't been able to find the network] {when}. [My colleagues have the same problem.|It works with a cable.|It's worst near the windows.]", ask: "Which room are you closest to?", answer: "[Right next to {room}.|Between {room} and the stairs.]", fix: "[I restarted the access point and it's stable again.|I moved the access point to another channel.|An access point had lost power. We've replaced the cable.|Your laptop kept joining the guest network. I've turned that off.]", template: "wireless", article: "wireless" },
  { about: "network", category: "incident", weight: 5, subject: "VPN [won't connect|drops every few minutes|keeps asking for a code]", note: "[At home|At my hotel|At {customer}], VPN [hasn't connected|has been dropping] {when}. [It worked at home last week.|The internet itself is fine.]", ask: "Does it work over your phone's hotspot?", answer: "[Yes, it works over my phone.|No, same problem over my phone.]", fix: "[The hotel's terms page had to be accepted first.|I've installed the latest version of Quillhaven Connect.|The certificate on your laptop had expired. I've renewed it.]", template: "vpn", article: "vpn" },
  { about: "network", category: "incident", weight: 3, subject: "Network port {port} [is dead|isn't working]", note: "Port {port} has no connection. [We need it for the {instrument} test bench.|I moved to this desk this morning.]", fix: "[The port wasn't patched. It is now.|I've replaced the cable in the cabinet.|I've moved the port to the right network.]" },
  { about: "network", category: "rfc", weight: 3, subject: "[Connect|Network connection for] [the test bench|a {instrument}|a label printer] at {port}", note: "[We're setting up|On {day} we're setting up] [a new test bench|a {instrument}] at {port} and need a connection[ to the lab network|].", fix: "[Patched and tested.|Done. The IP address is on the sticker.]" },
  { about: "network", category: "incident", weight: 2, subject: "[Everything|The network] is slow [in the factory|in our office|on {floor}]", note: "[Opening a drawing has taken minutes|Everything has been crawling] {when}. [The whole department is waiting.|Half of us have gone for coffee.]", fix: "[A backup was running during the day. It's back on the night schedule.|A switch had uplink errors. We've replaced the cable.]" },
  { about: "network", category: "rfi", weight: 2, subject: "Guest Wi-Fi for [visitors from {customer}|{number} visitors|our trade show booth]", note: "[How do visitors get online?|We're expecting {number} people on {day}.]", fix: "[The front desk has guest codes.|I've sent you a day code.]", article: "guest" },

  // computer
  { about: "computer", category: "incident", weight: 6, subject: "[Laptop|My laptop|Computer] [is very slow|won't start|keeps freezing|is loud and hot]", note: "[My laptop|It] [has been taking ten minutes to start|has been freezing several times a day|has sounded like a jet taking off] {when}. [I've restarted it.|I haven't restarted it yet because I have so much open.]", ask: "When did you last restart it? Closing the lid doesn't count.", answer: "[Last night.|About three weeks ago, I'm afraid.]", fix: "[A restart and the pending updates fixed it.|The disk was full. I've removed old software versions.|I've cleaned the fan. There was a small lawn in it.|I've replaced the laptop. The old one is going back to the supplier.]", template: "slow", article: "slow" },
  { about: "computer", category: "incident", weight: 4, subject: "[Second monitor|Monitor] [stays black|flickers|isn't detected] on the dock", note: "My [left|right|second] monitor [has stayed black|has been flickering] {when}. [It works at home.|I've already tried another cable.]", fix: "[Unplugging the dock for ten seconds fixed it.|Fixed with a new cable.|I've replaced the docking station.]", article: "dock" },
  { about: "computer", category: "incident", weight: 4, subject: "{program} [won't start|keeps crashing|says there's no license]", note: "{program} [has been crashing when I open a drawing|hasn't started|has been complaining about a license] {when}. [I need it for the {instrument}.|My colleague has the same problem.]", ask: "What exactly does the error message say?", answer: "[I've emailed you a screenshot.|It just says error 0x8007.]", fix: "[Reinstalled. It's working now.|A license freed up when someone came back from lunch.|I've reset the app's settings.]", article: "cad" },
  { about: "computer", category: "rfc", weight: 5, subject: "[Install|Please install|I need] {program}[ on my laptop|]", note: "[For my work on the {instrument} I need|Could you install] {program}[, please|]. [My manager has approved it.|I had it on my old laptop.]", fix: "[Installed remotely.|It's now available in the self-service app on your laptop.]", template: "software" },
  { about: "computer", category: "rfc", weight: 4, subject: "[New headset|Headset|Quiet keyboard|Vertical mouse|Second monitor] [for me|for {colleague}|]", note: "[Mine broke.|The old one cuts out all the time.|My wrist would be grateful.|It's for {colleague}, starting on {day}.]", fix: "[It's ready to pick up at the service desk.|It's on its way by internal mail.]", template: "accessory" },
  { about: "computer", category: "incident", weight: 2, subject: "[Coffee|Tea|Water] spilled on my [keyboard|laptop]", note: "It was [my cat|a colleague|me]. The laptop [still works|is off] and is upside down on a towel.", fix: "[It dried out over the weekend and works again. Lucky!|We've given you a replacement and restored your data.]" },
  { about: "computer", category: "rfi", weight: 2, subject: "When [do I|does {colleague}] get a new laptop?", note: "[Mine is four years old.|I was told I'm on the list.]", fix: "[You're scheduled for next quarter.|Laptops are replaced four years after delivery. I've explained the schedule.]" },

  // access
  { about: "access", category: "incident", weight: 8, subject: "[Account locked|Can't sign in|Password not accepted|Locked out]", note: "[I haven't been able to sign in|My account has been locked|My password hasn't been accepted] {when}. [I changed it on Friday.|I have a customer on the line.|My phone keeps asking for it, too.]", fix: "[Called back and unlocked the account. The phone still had the old password.|Called back and set a new password.|It unlocked automatically. I've explained why it happens.]", template: "password", article: "locked" },
  { about: "access", category: "rfc", weight: 7, subject: "Access to [the folder {folder}|{program}|the mailbox {mailbox}][ for me| for {colleague}|]", note: "[Please give us|I need|Could you give me] access to [the folder {folder}|it], [until the end of the month|for the project with {customer}|like my predecessor had].", ask: "Who's the owner, and have they approved this?", answer: "[My manager has approved it (cc'd).|The owner is on leave. His deputy has approved it.]", fix: "[Access granted. Please sign out and back in.|Access granted until the end of the month.]", template: "permission" },
  { about: "access", category: "incident", weight: 3, subject: "New phone, [no more sign-in codes|lost my second factor]", note: "I have a new phone and my authenticator app is empty. [I've already turned in the old one.|I still have the old one.]", fix: "[Verified by badge at the desk and set up the second factor again.|We moved it from the old phone to the new one together.]", article: "twofactor" },
  { about: "access", category: "rfi", weight: 2, subject: "Who [has access to|owns] the folder {folder}?", note: "[I need a list for the audit.|I'd like to know before I save anything there.]", fix: "[I've sent you the list.|You can find the owner in the folder's properties. I've explained where.]", article: "folder" },

  // telephony
  { about: "telephony", category: "incident", weight: 3, subject: "[No one can hear me|Echo|No sound] [on calls|on the phone|with my headset]", note: "[On calls|When I call {customer}], [no one has been able to hear me|I've been hearing an echo] {when}.", fix: "[The wrong microphone was selected.|I've replaced the headset.|I've updated the calling app.]" },
  { about: "telephony", category: "rfc", weight: 3, subject: "[Roaming in|Mobile data in] {country}", note: "I'm traveling to {country} on {day}[ for a week| to visit {customer}|].", fix: "[Roaming is on for the duration of your trip.|Done. Have a good trip!]", article: "travel" },
  { about: "telephony", category: "rfc", weight: 2, subject: "[Forward|Redirect] calls for [the sales desk|{colleague}|Customer Care]", note: "[Starting {day}|While we're at the trade show], please send calls to my mobile.", fix: "[All set.|Forwarding is on, with the end date noted.]" },

  // printing
  { about: "printing", category: "incident", weight: 5, subject: "Printer on {floor} [is jammed|leaves streaks|won't print|is out of toner]", note: "The printer on {floor} [has been jamming on every other page|has been leaving gray streaks|has been showing an error|has been eating the delivery notes for {customer}] {when}.", ask: "What's the number on the yellow sticker?", answer: "[PRT-EHV-03.|It ends in 02. The rest has worn off.]", fix: "[Parchment and Pixel replaced the drum.|I've replaced the toner.|I removed a paper clip from the feeder.|I cleared the queue and it's printing again.]", article: "jam" },
  { about: "printing", category: "incident", weight: 2, subject: "[Labels|Printed labels] for {order} [are blank|are misaligned]", note: "The labels for {order} are [blank|misaligned], and the truck comes [at noon|today].", fix: "[I've recalibrated the label printer.|The roll was loaded the wrong way around.]" },
  { about: "printing", category: "rfi", weight: 1, subject: "How do I [print in color|scan to a folder|print in London]?", note: "[I'm only here for two days.|The display doesn't say.]", fix: "There's an article about this. I've linked it.", article: "printer" },

  // files
  { about: "files", category: "rfc", weight: 4, subject: "[Restore|Please restore|Recover] [a file in|the folder] {folder}", note: "[Someone deleted|I overwrote] [a file in|part of] {folder}. It was still fine on {day}.", ask: "Do you know the exact file name?", answer: "[It starts with 2024_final_final.|I only remember that it had a picture of a {instrument} in it.]", fix: "[Restored next to the original.|Restored from the backup before {day}.]", template: "restore", article: "restore" },
  { about: "files", category: "incident", weight: 3, subject: "Drive [is gone|not connected|can't be found][ {when}|]", note: "[My drive|The team drive with {folder}] has been missing {when}.", fix: "[VPN was off. The drive is connected again.|The laptop had been asleep too long. A restart fixed it.]" },
  { about: "files", category: "rfc", weight: 2, subject: "New team folder {folder}", note: "Please create a folder {folder} for [our team|the project with {customer}]. [I'll be the owner.|My manager will be the owner.]", fix: "The folder is ready. The owner can give others access." },

  // erp
  { about: "erp", category: "incident", weight: 6, subject: "[Order|Sales order] {order} [is blocked|can't be posted|shows the wrong price]", note: "{order} for {customer} [has had a red lock|hasn't posted|has shown a price of zero] {when}. [It has to ship today.|The customer is calling every hour.]", ask: "What does it say next to the lock?", answer: "[It says \"Technical\".|\"Price\", I think.]", fix: "[The interface had stopped. I restarted it and {order} went through.|The price list had expired. Sales has extended it.|It was a credit block. I've notified Finance.]", article: "order" },
  { about: "erp", category: "incident", weight: 3, subject: "Invoice {invoice} [was sent twice|has no tax|is missing]", note: "Invoice {invoice} for {customer} [went out twice|has no tax on it|can't be found].", fix: "[I've canceled the second one.|I've corrected the customer's tax code.|It was in last month's folder.]" },
  { about: "erp", category: "rfi", weight: 4, subject: "[Report|List|Numbers] on [open orders|spare parts stock|deliveries to {customer}|service hours for the {instrument}]", note: "[For the meeting on {day} I need|Could you send me] the numbers [for this quarter|for last month|since January]. [A spreadsheet is fine.|No charts, please.]", fix: "[Sent. I've also saved the query so you can run it yourself.|Sent by email.]", template: "report" },
  { about: "erp", category: "incident", weight: 3, subject: "Prisma [is slow|keeps hanging|keeps signing me out][ {when}|]", note: "Prisma [has been hanging when I save|has been signing me out every ten minutes|has been unbearably slow] {when}. [Everyone here has the problem.|It seems to be just me.]", fix: "[I stopped a runaway report.|I've cleared the client cache.|Two tables had outdated statistics. I've refreshed them.]" },
  { about: "erp", category: "rfc", weight: 2, subject: "[New field|Extra column] [on the delivery note|for the serial number|in the spare parts list]", note: "[Our customers have asked|{customer} has asked] for [the serial number|a second reference] on the delivery note.", ask: "Should it be on all delivery notes or just for this customer?", answer: "[On all of them.|Just this one to start with.]", fix: "[Live with the release on {day}.|Done. I used an existing text field.]" },

  // portal
  { about: "portal", category: "incident", weight: 4, subject: "[Certificate|Calibration certificate] for {serial} [is missing|can't be opened|belongs to another instrument]", note: "{customer} can't [find|open] the certificate for {serial} in the portal. [They have an audit on {day}.|The calibration was last week.]", fix: "[The nightly run had skipped it. I've published it manually.|There was a space in the serial number. Fixed.|The certificate was attached to the wrong instrument. I've moved it.]", article: "certificate", straight: true },
  { about: "portal", category: "incident", weight: 3, subject: "{customer} [can't sign in to the portal|isn't getting emails from the portal]", note: "[They've tried three times.|The email with the link isn't arriving.] [Could you take a look today?|They're patient, but not forever.]", fix: "[I've re-enabled the account.|Their spam filter caught it. I've sent it again.]", straight: true },
  { about: "portal", category: "rfc", weight: 3, subject: "Portal: [show the next calibration date|sort instruments by site|download all certificates at once|a French translation]", note: "[{customer} asked for this, and they're not the first.|This would make life easier for Customer Care.|A competitor already has it.]", fix: "[Shipped in this week's sprint.|This is live now.]", straight: true },

  // security
  { about: "security", category: "incident", weight: 4, subject: "[Suspicious message|Strange email|Phishing?] [from our CEO|about a package|about my mailbox|from {customer}]", note: "[I got this message and didn't click anything.|I clicked the link, sorry.|It's asking for gift cards.|The sender's address looks odd.]", fix: "[Good catch. It was phishing, and we've blocked the sender for everyone.|False alarm, it was genuine. Better safe than sorry.|We've reset your password and nothing else happened. Thanks for reporting it right away.]", template: "phishing", article: "phishing" },
  { about: "security", category: "rfi", weight: 1, subject: "Can I [use {program} at home|send drawings to {customer}|plug in a USB stick I found]?", note: "[I'd rather ask first.|The policy is forty pages long.]", fix: "[Yes, under the conditions in the linked article.|Please don't. I've explained why.]" },

  // workplace
  { about: "rooms", category: "incident", weight: 4, subject: "[Projector|Screen|Camera] in {room} [shows no picture|has a pink tint|won't turn on]", note: "[The projector in|The screen in] {room} [has had no picture|has been pink] {when}. [{customer} will be here at two.|We've moved next door.]", fix: "[The cable with the yellow ring was loose.|I've replaced the lamp.|A restart fixed it.]", article: "room" },
  { about: "rooms", category: "other", weight: 1, subject: "{room} is always [booked but empty|taken]", note: "[It's booked every day and no one ever uses it.|We looked through the door and it was empty.]", fix: "We checked with the organizers and canceled the recurring bookings no one was using." },
  { about: "badges", category: "rfc", weight: 5, subject: "[Visitor|Visitors] from {customer} on {day}", note: "[On {day}|At ten on {day}], {number} people from {customer} are visiting us[. I'm their host|]. [Please reserve parking.|They want to see the {instrument}.]", fix: "[Their badges are ready at the front desk.|Registered, with parking reserved.]", template: "visitor", article: "visitor" },
  { about: "badges", category: "rfc", weight: 3, subject: "[Lost badge|New badge|Badge doesn't open the lab]", note: "[My badge has been missing|My badge hasn't opened the lab door] {when}.", fix: "[I've issued a new badge and blocked the old one.|I've added the lab door to your badge.]", template: "badge" },
  { about: "catering", category: "rfc", weight: 5, subject: "Lunch for {number} in {room} on {day}", note: "[Please order|We need] lunch for {number} people in {room} [at noon|at 12:30]. [Two vegetarians.|One person has a nut allergy.|No raisins in the salad, please.]", fix: "[Ordered from Copper Kettle.|Ordered and confirmed.]", template: "lunch" },
  { about: "catering", category: "complaint", weight: 1, subject: "[Coffee machine|The coffee machine] on {floor} [makes soup-flavored coffee|is out of beans]", note: "[Morale is low.|There's no impact level high enough for this.]", fix: "[Cleaned. It tastes like coffee again.|Beans refilled.]" },
  { about: "catering", category: "compliment", weight: 1, subject: "Thank you for the lunch on {day}", note: "{customer} [loved it|asked for the recipe]. [Thank you!|Please pass it on to the kitchen.]", fix: "Passed on to the kitchen. They were delighted." },
  { about: "buildings", category: "incident", weight: 5, subject: "[Too cold|Too warm|Heating not working] [on {floor}|in {room}]", note: "It's been [16|17|27|28] degrees [here|at my desk] {when}. [I'm working in gloves.|Even the plants are complaining.]", fix: "[A valve was stuck. It's working again.|I've adjusted the heating settings.|A window behind the curtain was open. I've closed it.]", template: "repair", article: "cold" },
  { about: "buildings", category: "incident", weight: 4, subject: "[Lamp|Light] [flickering|out] [on {floor}|in {room}|in the parking lot]", note: "[The light above my desk has been flickering|The light has been out] {when}.", fix: "[I've replaced the lamp.|I've replaced the starter.]", template: "repair" },
  { about: "buildings", category: "incident", weight: 2, subject: "[Water leak|Leak] [under the sink|from the ceiling] on {floor}", note: "There's water on the floor [under the sink|near the window]. [We've put a bucket there.|The bucket is almost full.]", fix: "[I've replaced the seal.|The gutter was blocked by a nest. We've moved the nest and cleaned the gutter.]", template: "repair" },
  { about: "moves", category: "rfc", weight: 3, subject: "[Move|Please move] [my desk|{number} desks] to {floor}", note: "[On {day}|Next week] [I'm moving|we're moving] to {floor}. [We'll need crates.|The fern is coming too.]", fix: "[Moved on {day}.|Crates delivered, desks moved, fern alive.]", template: "move" },
  { about: "moves", category: "rfc", weight: 2, subject: "[Office chair|My chair] [squeaks|keeps sinking|is broken]", note: "[It sinks slowly during the day, and so do I.|The whole office can hear it.]", fix: "[Swapped for a new one.|I've replaced the gas spring.]" },

  // provider
  { about: "monitoring", category: "incident", weight: 6, subject: "{machine}: [disk above 90%|not responding for two minutes|CPU at 100%|certificate expires in 14 days]", note: "Alert from the night shift for {machine}. [Second time today.|First time this week.]", fix: "[Compressed the log files.|Recovered on its own before we could act.|Renewed the certificate.|Restarted the process.]", template: "alert" },
  { about: "hosting", category: "rfc", weight: 3, subject: "[More memory|More disk|A snapshot] for {machine}", note: "[Requested by Quillhaven IT over the phone.|Scheduled for {day}, 22:00.]", fix: "[Done without downtime.|Done in the maintenance window.]" },
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
