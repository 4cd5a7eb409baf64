/// The answers to the statements that the bodies of one writing transaction have announced, for as long as they are up to date.
///
/// A body gets an answer in place of a round trip. A statement that changes a table outdates the answers that were read from
/// it, unless both name the owner of their rows and the owners differ: a group of purchases locks all its customers at once,
/// and each purchase then changes its own.
struct AnnouncedAnswers {
    private struct Answer {
        let result: PostgreSQLResult
        /// The names in the statement; none for an `INSERT`, whose answer says what it has done, which stays true.
        let names: Set<String>
        let owner: (table: String, number: Int64)?

        func isOutdated(byChanging table: String, of number: Int64?) -> Bool {
            guard names.contains(table) else { return false }
            guard let number, let owner, owner.table == table else { return true }
            return owner.number == number
        }
    }

    private var answers: [AnnouncedRead: Answer] = [:]
    /// The names in the statements of all answers.
    private var names: Set<String> = []

    /// Adds an answer, behind those of the statements that ran before.
    mutating func add(_ result: PostgreSQLResult, to read: AnnouncedRead, _ form: StatementForm) {
        guard read.sql.isSelect else {
            outdate(by: form, read.values)
            answers[read] = Answer(result: result, names: [], owner: nil)
            return
        }
        names.formUnion(form.names)
        answers[read] = Answer(result: result, names: form.names, owner: Self.owner(read.owner, in: result))
    }

    /// Returns the answer to a statement; `nil` if it has to be asked.
    func answer(to sql: SQL, _ values: [SQLValue]) -> PostgreSQLResult? {
        answers.isEmpty ? nil : answers[AnnouncedRead(sql, values)]?.result
    }

    /// Removes the answers that a statement outdates.
    mutating func outdate(by form: StatementForm, _ values: [SQLValue]) {
        guard !answers.isEmpty else { return }
        guard let table = form.changed else { return removeAll() }
        guard names.contains(table) else { return }
        var number: Int64?
        if let key = form.key, values.indices.contains(key), case .integer(let value) = values[key] { number = value }
        let outdated = answers.filter { $0.value.isOutdated(byChanging: table, of: number) }
        for read in outdated.keys { answers[read] = nil }
    }

    /// Removes all answers: the effect of a statement isn't known.
    private mutating func removeAll() {
        answers = answers.filter { $0.value.names.isEmpty }
    }

    private static func owner(
        _ owner: AnnouncedRead.Owner?, in result: PostgreSQLResult
    ) -> (table: String, number: Int64)? {
        guard let owner, result.rowCount == 1 else { return nil }
        let row = PostgreSQLRow(result: result.pointer, number: 0)
        return (try? row.optionalInteger(owner.column)).map { (owner.table, $0) }
    }
}
