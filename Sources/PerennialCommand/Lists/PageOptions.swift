import ArgumentParser

/// The page of a list: its size and its beginning.
struct PageOptions: ParsableArguments {
    /// Declared a second time, for the reason given at ``StoreOptions``.
    @Option(help: PageLimitOption.help)
    var limit: Int?

    @Option(help: ArgumentHelp("The cursor with which the page before ended.", valueName: "cursor"))
    var after: String?

    func validate() throws { try PageLimitOption.check(limit) }

    /// Returns the query of a page, with the question mark; empty if nothing is asked for.
    func query(_ filters: KeyValuePairs<String, String?> = [:]) -> String {
        ListQuery.text(filters.map { ($0.key, $0.value) } + [("limit", limit.map { "\($0)" }), ("after", after)])
    }
}
