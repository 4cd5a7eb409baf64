import Foundation

/// A statement as the server has logged it (`log_statement = all`).
struct LoggedStatement: Sendable, Equatable {
    let text: String
    /// The bound values as texts; `nil` for null.
    let values: [String?]
}

/// The statements of a transaction, from BEGIN to COMMIT.
struct LoggedTransaction: Sendable {
    let statements: [LoggedStatement]

    /// A line of the server's log in JSON (https://www.postgresql.org/docs/15/runtime-config-logging.html).
    private struct Line: Decodable {
        let dbname: String?
        let session_id: String?
        let message: String?
        let detail: String?
    }

    /// Reads a log.
    ///
    /// - Returns: `nil` if the mark isn't in it yet.
    static func read(_ log: Data, database: String, until mark: String) throws -> [LoggedTransaction]? {
        let decoder = JSONDecoder()
        var open: [String: [LoggedStatement]] = [:]
        var ended: [LoggedTransaction] = []
        for bytes in log.split(separator: UInt8(ascii: "\n")) {
            // The last line may be half written.
            guard let line = try? decoder.decode(Line.self, from: bytes), line.dbname == database,
                let message = line.message, let session = line.session_id
            else { continue }
            if message.contains(mark) { return ended }
            for statement in statements(message, line.detail) {
                let text = statement.text.uppercased()
                if text.hasPrefix("BEGIN") { open[session] = [] }
                open[session]?.append(statement)
                if text.hasPrefix("COMMIT") || text.hasPrefix("ROLLBACK") {
                    open.removeValue(forKey: session).map { ended.append(LoggedTransaction(statements: $0)) }
                }
            }
        }
        return nil
    }

    /// Reads a message: `statement: TEXT`, which may have several, or `execute NAME: TEXT` with its values in the detail.
    private static func statements(_ message: String, _ detail: String?) -> [LoggedStatement] {
        guard let colon = message.firstRange(of: ": ") else { return [] }
        let (kind, text) = (message[..<colon.lowerBound], String(message[colon.upperBound...]))
        if kind == "statement" {
            return text.split(separator: ";").map { part in
                LoggedStatement(text: part.trimmingCharacters(in: .whitespacesAndNewlines), values: [])
            }.filter { !$0.text.isEmpty }
        }
        guard kind.hasPrefix("execute ") else { return [] }
        return [LoggedStatement(text: text, values: detail.map(values) ?? [])]
    }

    /// Reads `parameters: $1 = '2', $2 = NULL`, in which apostrophes are doubled.
    private static func values(_ detail: String) -> [String?] {
        var values: [String?] = []
        var rest = detail.drop { $0 != "$" }
        while let sign = rest.firstRange(of: " = ") {
            rest = rest[sign.upperBound...]
            guard rest.first == "'" else {
                values.append(nil)
                rest = rest.drop { $0 != "$" }
                continue
            }
            var value = ""
            rest.removeFirst()
            while let character = rest.popFirst() {
                guard character == "'" else {
                    value.append(character)
                    continue
                }
                guard rest.first == "'" else { break }
                value.append("'")
                rest.removeFirst()
            }
            values.append(value)
        }
        return values
    }
}
