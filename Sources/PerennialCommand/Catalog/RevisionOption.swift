import ArgumentParser

/// The revision that a change of the catalog expects.
struct RevisionOption: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The revision that was read (--json has it): a change of a later one is refused.", valueName: "number"))
    var revision: Int64?

    /// The query of a deletion; empty without a revision.
    var query: String { revision.map { "?revision=\($0)" } ?? "" }

    func validate() throws {
        if let revision, revision < 0 { throw ValidationError("A revision is a whole number from 0.") }
    }
}
