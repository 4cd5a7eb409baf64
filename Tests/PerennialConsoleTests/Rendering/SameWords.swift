/// The words that are the same in other languages, and those that have several meanings.
enum SameWords {
    /// The words by languages. Names and signs that no language translates are in all.
    private static let words: [String: Set<String>] = [
        "all": ["App", "ID", "URL", "JSON", "JWS", "YAML", "Bytes", "%1", "Apple ID", "API", "SKU", "UTC"],
        "fr": [
            "Transaction", "Transactions", "Notification", "Notifications", "Apps", "Actions", "Net", "Type", "Date",
            "Total", "Console", "Pages", "Pause", "Taxes", "Commission", "Expansion", "Contraction", "Version",
            "Description", "Dates", "Active",
            "Code", "Client", "Expiration", "Finance", "Note",
        ],
        "pt": ["Apps", "Item", "Total", "Console"],
        "zh": ["Apps"],
        "de": [
            "Status", "Name", "Apps", "Tester", "Team", "Live", "Details", "In %1", "Bank", "Root", "Region",
            "Optional", "Version", "Version %1: %2", "Code",
        ],
    ]

    /// The English phrases of several words that are translated by their meaning.
    static let ambiguous: Set<String> = []

    static func isSame(_ english: String, in language: String) -> Bool {
        words["all", default: []].contains(english) || words[language, default: []].contains(english)
            || !english.contains(where: \.isLetter)
    }
}
