import Foundation
import Perennial
import PerennialConnect
import PerennialStorage
import PerennialStore
import TestSupport
import Testing

@testable import PerennialConsole

/// Lists of the seller's and the operator's things, read page by page along their links.
struct PagedListTests {
    private static let pageSize = 50
    private static let count = pageSize + 6

    private static func query(of path: String) -> [String: String] {
        let items = URLComponents(string: path)?.queryItems ?? []
        return Dictionary(items.map { ($0.name, $0.value ?? "") }) { first, _ in first }
    }

    /// Follows a table's links from its first page, and returns the texts of the first cells of each page.
    ///
    /// - Parameter caption: Of the table; by default it is the first.
    private static func names(
        _ path: String, caption: Phrase? = nil, _ console: SellerConsole
    ) async throws -> [[Text]] {
        var (pages, query): ([[Text]], [String: String]?) = ([], [:])
        while let current = query {
            let page = try await console.page(path, current)
            let tables = page.tables.filter { table in caption.map { table.caption == .phrase($0) } ?? true }
            let shown = try #require(tables.first)
            #expect((shown.first == nil) == pages.isEmpty, "\(path)")
            pages.append(shown.rows.map { $0.cells[0].text })
            query = shown.next.map(Self.query)
        }
        return pages
    }

    private static func check(_ pages: [[Text]], _ names: [String], rows: [Int] = [pageSize, 6]) {
        #expect(pages.map(\.count) == rows)
        #expect(pages.flatMap { $0 } == names.map { Text.data($0) })
    }

    private static let numbers = (100..<(100 + count)).map { "\($0)" }

    @Test func `users and invitations have pages, each its own`() async throws {
        let console = try await SellerConsole()
        try await console.shop.keys.team.edit { team in
            for number in Self.numbers {
                func person(_ name: String) -> TeamPerson {
                    TeamPerson(email: "\(name)\(number)@example.com", firstName: name, lastName: number)
                }
                _ = try team.create(person("user"), access: TeamAccess(roles: [.developer]))
                _ = try team.invite(person("guest"), access: TeamAccess(roles: [.sales]))
            }
        }
        Self.check(try await Self.names("team", console), Self.numbers.map { "user \($0)" })
        Self.check(
            try await Self.names("team", caption: TeamPhrases.invitations, console),
            Self.numbers.map { "guest\($0)@example.com" })
        // The next page of one table keeps the other's place.
        let tables = try await console.page("team", ["after": "user149@example.com"]).tables
        let next = try #require(tables[1].next)
        #expect(
            Self.query(of: next) == ["after": "user149@example.com", "invitations": "guest149@example.com"])
    }

    @Test func `keys of an app and of the team have pages without other apps' keys`() async throws {
        let console = try await SellerConsole()
        let app = TestCatalog.magazine().appleID
        try await console.shop.database.write { connection in
            for number in Self.numbers {
                for (letter, owner) in [("A", app), ("B", APIKey.team), ("C", TestCatalog.camera.appleID)] {
                    let key = APIKey(
                        id: "KEY\(letter)000\(number)", app: owner,
                        kind: owner == APIKey.team ? .connectAPI : .serverAPI,
                        issuerID: "issuer", publicKey: [4], created: TestStore.opening)
                    try APIKeysTable.insert(key, on: connection)
                }
            }
        }
        let pages = try await Self.names("keys", console)
        let expected = ["A", "B"].flatMap { letter in Self.numbers.map { "KEY\(letter)000\($0)" } }
        #expect(pages.map(\.count) == [50, 50, 12])
        #expect(pages.flatMap { $0 } == expected.map { Text.data($0) })
        #expect(try await console.page("keys/KEYB000155").title == .data("KEYB000155"))
        await #expect(throws: ConsoleError.self) { try await console.page("keys/KEYC000155") }
        await #expect(throws: ConsoleError.self) { try await console.page("keys/x") }
    }

    @Test func `subscription groups have pages with the number of their products`() async throws {
        let console = try await SellerConsole()
        let app = TestCatalog.magazine().appleID
        let before = try await Self.names("groups", console).flatMap { $0 }
        try await console.catalog.edit(by: .control) { draft in
            for number in Self.numbers { _ = try draft.createGroup("Group \(number)", app: app) }
        }
        let pages = try await Self.names("groups", console)
        #expect(pages.map(\.count) == [Self.pageSize, 6 + before.count])
        let shown = Set(pages.flatMap { $0 }.map { "\($0)" })
        #expect(shown == Set((before + Self.numbers.map { Text.data("Group \($0)") }).map { "\($0)" }))
        let table = try #require(try await console.page("groups").tables.first)
        let known = try await console.catalog.read { reader in
            try reader.groupIDs(app: app).compactMap { key in
                try reader.group(key).map { ($0.group.id, try reader.productIDs(group: key).count) }
            }
        }
        let counts = Dictionary(known) { first, _ in first }
        for row in table.rows {
            guard case .data(let id) = row.cells[1].text else { throw TestStore.Missing(what: "ID") }
            let count = try #require(counts[id])
            #expect(row.cells[2].text == .number(count))
        }
    }

    @Test func `environments have pages, and a refusal shows the page of its environment`() async throws {
        let console = try await SellerConsole()
        for number in Self.numbers {
            _ = try await console.shop.registry.makeEnvironment(
                "lab\(number)", kind: .sandbox, clock: .manual, now: TestStore.opening)
        }
        let names = ["Production", "Sandbox"] + Self.numbers.map { "lab\($0)" }
        Self.check(try await Self.names("environments", console), names, rows: [Self.pageSize, 8])
        let next = try #require(try await console.page("environments").tables.first?.next)
        let second = try await console.page("environments", Self.query(of: next))
        var values = try #require(
            second.forms.first { $0.fields.contains { $0.name == "name" && $0.value == "lab155" } }
                .map { Dictionary($0.fields.map { ($0.name, $0.value) }) { first, _ in first } })
        values["confirmation"] = "lab"
        let refused = try #require(try await console.send("environments/reset", values).page)
        #expect(refused.status == 422 && refused.tables.first?.rows.count == 8)
        #expect(refused.forms.contains { $0.error == .phrase(EnvironmentPhrases.typeName) })
    }

    @Test func `open reviews of an app have pages, whatever waits for other apps`() async throws {
        let console = try await SellerConsole()
        let (app, other) = (TestCatalog.magazine().appleID, TestCatalog.camera.appleID)
        try await console.shop.database.write { connection in
            for number in Int64(1)...230 {
                let submission = ReviewSubmission(
                    id: "review \(number)", app: number > 205 ? app : other, platform: .iOS, by: .control)
                try ReviewSubmissionsTable.upsert(submission, number: number, on: connection)
            }
        }
        func shown(_ page: Page) -> [String] {
            page.blocks.compactMap { block in
                guard case .section(.data(let id), _, _, _) = block else { return nil }
                return id
            }
        }
        let first = try await console.page("reviews")
        #expect(shown(first) == (206...225).map { "review \($0)" })
        let next = try #require(first.blocks.flatMap(\.allLinks).first { $0.text == .phrase(BlockWords.next) })
        let second = try await console.page("reviews", Self.query(of: next.path))
        #expect(shown(second) == (226...230).map { "review \($0)" })
        #expect(second.blocks.flatMap(\.allLinks).map(\.text) == [.phrase(BlockWords.first)])
        // A page that reads little ends at what it has read, and says where to go on.
        let read = try await console.catalog.read {
            try $0.openSubmissions(app: app, after: 0, limit: 20, maximumRead: 100)
        }
        #expect(read.submissions.isEmpty && read.next == 100)
        let rest = try await console.catalog.read {
            try $0.openSubmissions(app: app, after: 200, limit: 20, maximumRead: 10)
        }
        #expect(rest.submissions.map(\.id) == (206...210).map { "review \($0)" } && rest.next == 210)
    }

    @Test(arguments: [PendingPurchase.Cause.approval, .interruption])
    func `purchases that wait have pages, and lapsed ones don't hide them`(
        cause: PendingPurchase.Cause
    ) async throws {
        let console = try await SellerConsole()
        let customer = try await console.shop.customer("ann").key
        let now = try await console.shop.store.now()
        let film = Product.ID(rawValue: "film.roll")
        // More than one page reads.
        let lapsed = Int64(2_100)
        try await console.shop.database.write { connection in
            for number in 1...(lapsed + Int64(Self.count)) {
                let isLapsed = number <= lapsed
                let pending = PendingPurchase(
                    film, by: customer.account, isLapsed ? .approval : cause,
                    at: isLapsed ? now + -.days(2) : now)
                let record = PendingPurchasesTable.Record(
                    id: number, customer: customer, request: PurchaseRequest(productID: film), pending: pending)
                try PendingPurchasesTable.put(record, on: connection)
            }
        }
        let caption = cause == .approval ? TesterPhrases.askToBuy : TesterPhrases.interrupted
        let pages = try await Self.names("testers", caption: caption, console)
        #expect(pages.map(\.count) == [0, Self.pageSize, 6])
        #expect(pages.flatMap { $0 }.allSatisfy { $0 == .data("ann") })
        // The last one is beyond the first page, and can be answered.
        let action = cause == .approval ? "testers/waiting/approval" : "testers/waiting/interruption"
        let fields = ["id": "\(lapsed + Int64(Self.count))", "answer": "no"]
        #expect(try await console.send(action, fields).redirect != nil)
        await #expect(throws: ConsoleError.self) { try await console.send(action, fields) }
        await #expect(throws: ConsoleError.self) { try await console.send(action, ["id": "1", "answer": "yes"]) }
        #expect(try await Self.names("testers", caption: caption, console).map(\.count) == [0, Self.pageSize, 5])
    }
}
