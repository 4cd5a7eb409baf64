import Foundation
import Perennial
import PerennialStore

/// A purchase that the server has logged, with the facts that its parameters carry.
struct LoggedPurchase: Sendable {
    let transaction: LoggedTransaction
    let tokenDigest: [UInt8]
    let keyDigest: [UInt8]
    let accountID: Int64
    let transactionID: Int64
    let position: Int64
    let revision: Int64
    /// Milliseconds since 1970 between which it was made.
    let time: ClosedRange<Int64>
}

/// Makes pgbench's script of the statements that purchases send.
///
/// The statements are those of the log, word for word. Parameters that are equal in all purchases become literals, and the
/// others variables of pgbench that stand for the same thing: a customer, a new ID, the next revision. A parameter that none
/// of these explains is an error, so that the script can't silently be another transaction than ours.
struct PurchaseScript: Sendable {
    /// The thing that a changing parameter stands for.
    private enum Role: CaseIterable {
        case tokenDigest, keyDigest, account, transaction, position, provisionalPosition, revision, time

        /// Positions from here on are replaced by the server before the commit.
        private static let firstProvisional: Int64 = 1 << 62

        func explains(_ value: String, in purchase: LoggedPurchase) -> Bool {
            switch self {
            case .tokenDigest: value == Self.text(purchase.tokenDigest)
            case .keyDigest: value == Self.text(purchase.keyDigest)
            case .account: value == String(purchase.accountID)
            case .transaction: value == String(purchase.transactionID)
            case .position: value == String(purchase.position)
            case .provisionalPosition: Int64(value).map { $0 >= Self.firstProvisional } ?? false
            case .revision: value == String(purchase.revision)
            case .time: Int64(value).map(purchase.time.contains) ?? false
            }
        }

        /// The expression in the script. Bytes can't be in a variable, so the server computes them, in about a microsecond.
        var expression: String {
            switch self {
            case .tokenDigest: "sha256(convert_to(:customer::text, 'UTF8'))"
            case .keyDigest: "decode(md5(:transaction::text), 'hex')"
            case .account: ":buyer_id"
            case .transaction: ":transaction"
            case .position: ":position"
            case .provisionalPosition: ":provisional"
            case .revision: ":revision"
            case .time: ":time"
            }
        }

        private static func text(_ bytes: [UInt8]) -> String {
            "\\x" + bytes.map { String(format: "%02x", $0) }.joined()
        }
    }

    /// The transactions that pgbench's clients make.
    enum Form: Sendable {
        /// Sends statements as purchases of one app send them: all of them move the app's head of the journal.
        case sharedHead
        /// Each client has a head of its own, so that transactions have the same rows but share none.
        case ownHeads
    }

    /// The statements of each form, with expressions of pgbench instead of parameters.
    private let statements: [Form: [String]]
    private let customers: Int
    private let clients: Int

    /// - Parameters:
    ///   - purchases: Of several customers, several of each, so that what changes does change.
    ///   - customers: How many buy, a fixed number of them at each client.
    /// - Throws: ``BenchmarkError`` if the purchases differ in their statements, or a parameter isn't understood.
    init(of purchases: [LoggedPurchase], customers: Int, clients: Int) throws {
        guard let first = purchases.first else { throw BenchmarkError("no purchase was logged") }
        let texts = purchases.map { $0.transaction.statements.map(\.text) }
        guard texts.allSatisfy({ $0 == texts[0] }) else {
            throw BenchmarkError("purchases send different statements: \(texts)")
        }
        let indices = first.transaction.statements.indices
        statements = [
            .sharedHead: try indices.map { try Self.statement($0, purchases, .sharedHead) },
            .ownHeads: try indices.map { try Self.statement($0, purchases, .ownHeads) },
        ]
        (self.customers, self.clients) = (customers, clients)
    }

    var statementCount: Int { statements[.sharedHead]?.count ?? 0 }

    /// Statements that prepare a copy of the store's database.
    ///
    /// Customer 0 to n - 1 of the script are the database's, by account, found by the digests of ``Role``. A client's own head
    /// begins far from others', because the positions are in one app's journal.
    func preparation() -> String {
        """
        UPDATE devices SET token_digest = sha256(convert_to(numbered.number::text, 'UTF8'))
        FROM (SELECT account, row_number() OVER (ORDER BY account) - 1 AS number FROM devices) AS numbered
        WHERE numbered.account = devices.account;
        INSERT INTO journal_heads (environment, app, position)
        SELECT \(StoreEnvironment.sandbox.id.rawValue), \(Self.firstOwnHead) + client, 1000000000::bigint * (1 + client)
        FROM generate_series(0, \(clients - 1)) AS client
        """
    }

    /// Returns the script. Its variable `start` is the first transaction ID of a run, far from those of other runs.
    func text(_ form: Form) -> String {
        var lines = [
            "\\set number :number + 1",
            "\\set customer :client_id + \(clients) * random(0, \(max(1, customers / clients) - 1))",
            "\\set transaction :start + :client_id * 10000000 + :number",
            "\\set provisional \(Int64(1) << 62) + :transaction",
            "\\set time 1795000000000 + :number",
        ]
        for statement in statements[form] ?? [] {
            if statement.contains("FOR UPDATE OF customers") {
                lines += ["\(statement) \\gset buyer_", "\\set revision :buyer_revision + 1"]
            } else if statement.contains("RETURNING position") {
                lines += ["\(statement) \\gset head_", "\\set position :head_position"]
            } else {
                lines.append("\(statement);")
            }
        }
        return lines.joined(separator: "\n") + "\n"
    }

    /// A number smaller than that of any app of a store.
    private static let firstOwnHead: Int64 = 1_000

    private static func statement(_ index: Int, _ purchases: [LoggedPurchase], _ form: Form) throws -> String {
        let logged = purchases.map { $0.transaction.statements[index] }
        // Without marks: pgbench counts a parameter inside a comment, and the server doesn't.
        var text = logged[0].text.split(whereSeparator: \.isNewline).joined(separator: " ")
            .replacing(#/ ?\/\*.*?\*\//#, with: "")
        let hasOwnHead = form == .ownHeads && text.contains("INTO journal_heads")
        // From the last on, because $1 begins $10.
        for number in logged[0].values.indices.reversed() {
            let values = logged.map { $0.values[number] }
            let isApp = hasOwnHead && values[0] == String(BenchmarkCatalog.app.appleID)
            let place = "$\(number + 1)"
            text = text.replacing(
                place,
                with: isApp
                    ? "(\(firstOwnHead) + :client_id)" : try expression(values, purchases, "\(place) of \(text)"))
        }
        return text
    }

    private static func expression(
        _ values: [String?], _ purchases: [LoggedPurchase], _ place: String
    ) throws -> String {
        if values.allSatisfy({ $0 == values[0] }) { return literal(values[0]) }
        let roles = Role.allCases.filter { role in
            zip(values, purchases).allSatisfy { value, purchase in
                value.map { role.explains($0, in: purchase) } ?? false
            }
        }
        guard roles.count == 1 else {
            throw BenchmarkError("\(place) is \(values), which \(roles.isEmpty ? "nothing explains" : "is ambiguous")")
        }
        return roles[0].expression
    }

    /// Quoted, numbers too: the server takes the type from the place, as it does for a parameter.
    private static func literal(_ value: String?) -> String {
        value.map { "'\($0.replacing("'", with: "''"))'" } ?? "NULL"
    }
}
