/// The changes of a transaction that wait for the numbers of journal positions.
///
/// Rows whose key is a position wait for the end of the transaction. So do rows that only contain one, for as long as the
/// transaction doesn't read their table; then they are inserted with the provisional position, and corrected at the end.
struct PendingChanges {
    typealias Statement = (sql: SQL, values: [SQLValue])

    /// The next step with a statement.
    enum Step {
        /// The change is stored, and runs when the positions are numbered.
        case deferred
        /// Runs now.
        case run
        /// Runs now, behind rows that get their positions later.
        case runAfter([Statement])
        /// Runs now, after all positions have been numbered.
        case number
    }

    private struct HeldRows {
        let table: String
        let insert: Statement
        let correction: [Statement]
    }

    private struct Deferred {
        let table: String
        let statement: Statement
    }

    /// Stands for the table of corrections, which nothing has to wait for: they change no column that is compared.
    private static let corrections = ""

    var positions = ProvisionalPositions()
    private var deferred: [Deferred] = []
    private var held: [HeldRows] = []

    /// True while positions are reserved that have no numbers.
    var isOpen: Bool { positions.open > 0 }

    /// Decides about a statement without a result that is used.
    mutating func step(
        sending statement: Statement, _ form: StatementForm, correction: () throws -> [Statement]?
    ) rethrows -> Step {
        let hasPosition = containsOpenPosition(statement.values)
        guard let target = form.target else { return step(running: statement, form) }
        if hasPosition, form.isInsert, !deferred.contains(where: { $0.table == target }),
            let correction = try correction()
        {
            held.append(HeldRows(table: target, insert: statement, correction: correction))
            return .deferred
        }
        guard hasPosition || deferred.contains(where: { $0.table == target }),
            !held.contains(where: { $0.table == target })
        else { return step(running: statement, form) }
        deferred.append(Deferred(table: target, statement: statement))
        return .deferred
    }

    /// Decides about a statement with a result.
    mutating func step(running statement: Statement, _ form: StatementForm) -> Step {
        let key = form.key.flatMap { statement.values.indices.contains($0) ? statement.values[$0] : nil }
        func reads(_ table: String, _ waiting: Statement) -> Bool {
            form.names.contains(table) && (key.map(waiting.values.contains) ?? true)
        }
        if containsOpenPosition(statement.values) || form.names.contains("journal_heads")
            || deferred.contains(where: { reads($0.table, $0.statement) })
        {
            return .number
        }
        let read = held.filter { reads($0.table, $0.insert) }
        guard !read.isEmpty else { return .run }
        held.removeAll { reads($0.table, $0.insert) }
        for rows in read {
            deferred += rows.correction.map { Deferred(table: Self.corrections, statement: $0) }
        }
        return .runAfter(read.map(\.insert))
    }

    /// True if a statement with a result doesn't depend on anything that waits.
    func isUnaffected(_ statement: Statement, _ form: StatementForm) -> Bool {
        guard isOpen else { return true }
        return !containsOpenPosition(statement.values) && !form.names.contains("journal_heads")
            && !deferred.contains { form.names.contains($0.table) } && !held.contains { form.names.contains($0.table) }
    }

    /// Numbers all positions.
    /// - Returns: The slots in the order of locks, and the statements that waited for their numbers.
    mutating func number() -> (slots: [ProvisionalPositions.Slot], statements: [Statement]) {
        let statements = held.map(\.insert) + deferred.map(\.statement)
        (held, deferred) = ([], [])
        return (positions.number(), statements)
    }

    private func containsOpenPosition(_ values: [SQLValue]) -> Bool {
        values.contains { positions.slot(of: $0).map { !positions.slots[$0].isNumbered } ?? false }
    }
}
