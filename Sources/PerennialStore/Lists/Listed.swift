import Perennial
import PerennialStorage

/// A row of a list for operators, with the name of its account.
package struct Listed<Value: Sendable>: Sendable {
    package var value: Value
    package var account: String

    package init(value: Value, account: String) {
        (self.value, self.account) = (value, account)
    }
}

/// The number of rows on a page of a list.
package enum ListLimit {
    package static let allowed = 1...200
    package static let usual = 100

    /// Returns the nearest allowed limit.
    static func clamped(_ limit: Int) -> Int { min(max(limit, allowed.lowerBound), allowed.upperBound) }
}

extension StoreChapter {
    func accountID(named name: String, on connection: any Connection) throws -> Account.ID {
        guard let account = try AccountsTable.named(name, environment.id, on: connection) else {
            throw StoreError(.accountNotFound, name, "there is no account of that name")
        }
        return account.id
    }

    /// Adds the names of the accounts, each of which is read once.
    func named<Value: Sendable>(
        _ values: [Value], _ id: (Value) -> Account.ID, on connection: any Connection
    ) throws -> [Listed<Value>] {
        var names: [Account.ID: String] = [:]
        return try values.map { value in
            let id = id(value)
            let name = try names[id] ?? AccountsTable.account(id, environment.id, on: connection)?.name ?? ""
            names[id] = name
            return Listed(value: value, account: name)
        }
    }
}

extension ListPage {
    /// Returns a page of a list that is held in memory, in the order of names.
    ///
    /// - Parameter limit: `nil` for all that follow.
    /// - Throws: ``StoreError`` `.malformed` for a cursor that isn't one.
    static func page(
        of items: [Item], by name: (Item) -> String, after cursor: String?, limit: Int?
    ) throws -> ListPage<Item> {
        let last = try cursor.map { try ListCursor.name($0) }
        let named = items.map { (name: Array(name($0).utf8), item: $0) }
            .sorted { $0.name.lexicographicallyPrecedes($1.name) }
        let rest = named.drop { item in last.map { !$0.utf8.lexicographicallyPrecedes(item.name) } ?? false }
        guard let limit, rest.count > limit else { return ListPage(rest.map(\.item)) }
        let page = rest.prefix(ListLimit.clamped(limit)).map(\.item)
        return ListPage(page, next: page.last.map { ListCursor.text(name: name($0)) })
    }
}

extension Products {
    /// Returns the apps of the store as this environment sells them, by bundle ID.
    package func apps() async throws -> [App] { try await listApps(after: nil, limit: nil).items }

    /// Returns the apps of the store as this environment sells them, by bundle ID.
    ///
    /// - Parameters:
    ///   - search: A part of the bundle ID or the name, in any case; empty for all.
    ///   - limit: `nil` for all.
    /// - Throws: ``StoreError`` `.malformed` for a cursor that isn't one.
    package func listApps(
        search: String = "", after cursor: String?, limit: Int?
    ) async throws -> ListPage<App> {
        let apps = try await database.read { [catalog] in try catalog.all(on: $0).map(\.app) }
        let wanted = ListSearch(search)
        return try .page(
            of: apps.filter { wanted.matches($0.bundleID.rawValue, $0.name) }, by: \.bundleID.rawValue, after: cursor,
            limit: limit)
    }

    /// Returns the products of an app as this environment sells them, by ID.
    ///
    /// - Parameters:
    ///   - type: The type of the products; `nil` for all.
    ///   - search: A part of the ID or the name, in any case; empty for all.
    ///   - limit: `nil` for all.
    /// - Throws: ``StoreError`` `.appNotFound`; `.malformed` for a cursor that isn't one.
    package func list(
        of app: App, type: ProductType? = nil, search: String = "", after cursor: String? = nil, limit: Int? = nil
    ) throws -> ListPage<Product> {
        let wanted = ListSearch(search)
        let products = app.products.filter {
            (type == nil || $0.type == type) && wanted.matches($0.id.rawValue, $0.referenceName)
        }
        return try .page(of: products, by: \.id.rawValue, after: cursor, limit: limit)
    }
}

/// A text that rows of a list contain, in any case.
struct ListSearch {
    private let wanted: String

    init(_ text: String) { wanted = text.lowercased() }

    /// Returns true for an empty search, and if one of the texts contains it.
    func matches(_ texts: String...) -> Bool {
        wanted.isEmpty || texts.contains { $0.lowercased().contains(wanted) }
    }
}

extension Accounts {
    /// Returns accounts of the environment, by name.
    ///
    /// - Parameter prefix: The beginning of the names.
    /// - Throws: ``StoreError`` `.malformed` for a cursor that isn't one.
    package func list(prefix: String = "", after cursor: String? = nil, limit: Int) async throws -> ListPage<Account> {
        let (last, limit) = (try cursor.map { try ListCursor.name($0) }, ListLimit.clamped(limit))
        let found = try await database.read { [environment] in
            try AccountsTable.list(prefix: prefix, after: last, limit: limit + 1, environment.id, on: $0)
        }
        let page = Array(found.prefix(limit))
        return ListPage(page, next: found.count > limit ? page.last.map { ListCursor.text(name: $0.name) } : nil)
    }
}
