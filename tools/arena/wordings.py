"""The words of which lives are made. `[a|b]` stands for one of the two."""

SYLLABLES = (
    "ba be bo da del do fa fen ga gor hal ha jo ka kel ki la lin lo ma mel mi na nor no pa pel ra ren ro sa sel si "
    "ta tal to va ven vo wi za zel dra bri tho ves qua nim ul or ash"
).split()

RELATIONS = [
    "sister", "brother", "aunt", "uncle", "neighbour", "boss", "cousin", "flatmate", "dentist", "landlord", "teacher",
    "accountant", "niece", "nephew", "godmother", "stepfather",
]

MONTHS = "January February March April May June July August September October November December".split()
DISHES = (
    ["mushroom", "lentil", "pumpkin", "saffron", "walnut", "fennel", "spinach", "salmon", "chestnut", "barley", "beetroot"],
    ["risotto", "curry", "dumplings", "pie", "stew", "lasagne", "soup", "pancakes", "goulash", "salad"],
)
PLANTS = (
    ["dwarf", "red", "climbing", "white", "winter", "golden", "alpine", "trailing"],
    ["hydrangea", "rosemary", "quince", "magnolia", "begonia", "jasmine", "lavender", "wisteria", "fig", "camellia"],
)
INSTRUMENTS = (
    ["baroque", "electric", "bass", "antique", "travel", "silver", "carved"],
    ["cello", "trumpet", "mandolin", "clarinet", "oboe", "banjo", "harp", "accordion", "flute", "viola"],
)

# What kind of value, how it is said (no secrets: a program may rightly refuse to keep those), how it is asked.
SCHEMAS = [
    ("name", [
        "{who} [moved|relocated] to {value} [last spring|in autumn|a while ago].",
        "{who} has [an apartment|a flat|rooms] in {value} now.",
        "[Since the summer|For a month now] {who} has been living in {value}.",
    ], [
        "Where does {who} live?", "[In which town|In what city] is {who}'s home?",
        "If I wanted to visit {who}, where would I have to go?", "Which place does {who} live in these days?",
    ]),
    ("name", [
        "{who} [started working|took a job|began a new job] at {value}.",
        "{who} [was hired by|signed a contract with] {value} [recently|this month].",
        "The company that pays {who} is called {value}.",
    ], [
        "Who employs {who}?", "What is the name of the firm {who} works for?",
        "Where does {who} have a job?", "Which employer is {who} with?",
    ]),
    ("name", [
        "{who} [adopted|got] a [puppy|kitten|dog|cat] and named it {value}.",
        "The [cat|dog|parrot] of {who} answers to {value}.",
        "{who} has a pet called {value}.",
    ], [
        "What is {who}'s pet called?", "Which name did {who} give to the animal?",
        "What do I call out when {who}'s animal runs away?", "How is the pet at {who}'s place named?",
    ]),
    ("dish", [
        "{who} [cannot get enough of|loves|adores] {value}.",
        "For a birthday dinner {who} always wants {value}.",
        "The [best-loved|favourite] meal of {who} is {value}.",
    ], [
        "What should I cook when {who} comes over?", "Which food makes {who} happiest?",
        "What does {who} like to eat most?", "What is the favourite dish of {who}?",
    ]),
    ("date", [
        "{who} [was born on|has a birthday on] {value}.",
        "We celebrate the birthday of {who} on {value}.",
        "{who} blows out the candles on {value}.",
    ], [
        "When is {who}'s birthday?", "On which day do I have to congratulate {who}?",
        "When was {who} born?", "By when do I need a birthday present for {who}?",
    ]),
    ("instrument", [
        "{who} [is learning|plays|took up] the {value}.",
        "{who} [practises|has lessons on] a {value} [every Tuesday|at weekends].",
        "You can hear {who} through the wall with that {value}.",
    ], [
        "Which instrument does {who} play?", "What does {who} make music with?",
        "What kind of music lessons does {who} take?", "If {who} joined a band, what would {who} play in it?",
    ]),
    ("plant", [
        "{who} planted a {value} [by the fence|on the balcony|behind the house].",
        "I gave {who} a {value} for the garden.",
        "In the garden of {who} there is now a {value}.",
    ], [
        "What grows at {who}'s place?", "What did {who} put into the flower bed?",
        "Which plant does {who} have?", "What do I have to water while {who} is away?",
    ]),
    ("number", [
        "The boat of {who} has {value} painted on its [side|stern|bow].",
        "{who} [sails|races] [a boat|a dinghy] with the number {value}.",
        "On the water you recognise {who} by the number {value}.",
    ], [
        "Which digits are on {who}'s boat?", "What number does {who} sail with?",
        "By which number can I spot {who} in the regatta?", "How is the boat of {who} numbered?",
    ]),
    ("name", [
        "{who} [goes on holiday|spends the holidays] in {value} [every year|each summer].",
        "For the summer {who} rents a hut in {value}.",
        "{who} has booked a trip to {value}.",
    ], [
        "Where does {who} go on vacation?", "Which place does {who} travel to?",
        "Where is {who} when the office is closed in summer?", "What is the holiday destination of {who}?",
    ]),
    ("name", [
        "{who} is [seeing|treated by] Doctor {value}.",
        "When {who} is ill, Doctor {value} is the one to call.",
        "The physician of {who} is Doctor {value}.",
    ], [
        "Which doctor looks after {who}?", "Whom do I phone if {who} feels unwell?",
        "Who treats {who}?", "What is the name of {who}'s physician?",
    ]),
]

SUBJECTS = (
    "[the meeting|the heating|the tram|this book|the weather|the printer|the new series|the market|the concert|"
    "the football match|the museum|the bakery|the office kitchen|the lecture|the playlist|the train|the lift]"
)
CHATTER = [
    "[Honestly,|Well,|By the way,|] {subject} was [better|worse|louder|slower|nicer] than [last week|I thought|usual] today.",
    "I [spent|wasted|passed] [an hour|two hours|half the morning|the whole evening] with {subject} [again|once more|for nothing].",
    "Can you believe that {subject} [was closed|was late|broke down|was sold out|was empty] [on Monday|this morning|at noon|yesterday]?",
    "[Somebody|A stranger|The man upstairs|A child|A tourist] asked me about {subject} [at the corner|in the queue|on the stairs|downstairs].",
    "I [should|might|could|must] [complain about|write about|think about|forget about] {subject} [some day|soon|tomorrow|at last].",
    "{who} [complained about|laughed about|asked me about|told everybody about|was late because of] {subject} [again|today|on Friday|at noon].",
    "I [met|called|saw|ran into] {who} [on Monday|this morning|at noon|downstairs], and {subject} came up [twice|again|first].",
    "{who} and I [had a long talk about|disagreed about|joked about] {subject} [at lunch|on the phone|on the way home].",
    "[We laughed|They argued|Everybody talked] about {subject} [for ages|over lunch|until late|on the way back].",
]

TASKS = [
    "Write a [Python|Rust|Go|Ruby] function that [sorts a list of pairs|parses a CSV line|merges two ranges|counts vowels].",
    "Explain [binary search|photosynthesis|inflation|the tides|public-key encryption] in [two|three|five] sentences.",
    "Translate '[the bridge is closed|open the window|two tickets please|it rains a lot]' into [French|Polish|Dutch|Korean].",
    "What is [17|23|48|64|91] times [12|19|35|77]?",
    "Fix the failing [unit test|build|lint warning|type error] in [the parser|the scheduler|the router|the cache].",
    "Give me a regular expression for [a time of day|an IPv4 address|a hex colour|a version number].",
    "Summarise the difference between [TCP and UDP|a stack and a heap|a virus and a bacterium|jam and jelly].",
    "Rename the variable [count|index|total|buffer] to [size|offset|sum|chunk] in the whole file.",
]

REPLIES = [
    "[I see|Understood|All right], [that sounds tiring|that is good to know|that happens to many people|I can imagine that].",
    "[Would you like|Do you want] to [talk about it|plan something|make a list|leave it for now]?",
    "[Perhaps|Maybe] a [walk|break|cup of tea|quiet evening] would [help|be nice|do you good].",
    "[Such days|Such things|Small troubles] [pass|come and go|are part of life], and [tomorrow|next week|the weekend] may be [easier|calmer|brighter].",
]
