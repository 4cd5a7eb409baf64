import Foundation
import Perennial

/// The names of things in a store that a command's arguments have.
struct StoreNames: Sendable {
    var app: String?
    var product: String?
    /// A subscription group, by ID or reference name.
    var group: String?
    /// An offer of the product.
    var offer: String?
    var account: String?
    /// An environment in the arguments, besides that of the endpoint.
    var environment: String?
    /// Things of other kinds.
    var things: [NamedThing] = []
    /// True if the product only filters a list, which is empty for an unknown one.
    var isFilter = false

    /// Returns the store's names that are spelled like the one that an error is about.
    ///
    /// - Returns: Nothing if the name exists, so that something else is wrong with it.
    func similar(to error: StoreClientError, _ client: StoreClient) async -> [String] {
        let found: [String]
        switch error.subject {
        case "environmentNotFound":
            found = Self.similar(
                to: environment ?? client.endpoint.environment.name, in: try? await client.environmentNames())
        case "appNotFound": found = Self.similar(to: app, in: try? await client.bundleIDs())
        case "productNotAvailable": found = Self.similar(to: product, in: try? await client.productIDs(of: app))
        case "accountNotFound": found = Self.similar(to: account, in: try? await client.accountNames())
        case "storefrontUnknown":
            // The message begins with the code.
            let code = error.reason.split(separator: ":").first.map(String.init)
            found = Self.similar(to: code, in: Storefront.all.map(\.storefront.rawValue))
        case "notFound", "offerNotFound": found = await similarInCatalog(client)
        case "unauthorized": return []
        default: found = []
        }
        guard found.isEmpty else { return found }
        for thing in things {
            let similar = Self.similar(to: thing.name, in: try? await thing.known(client, app: app))
            guard similar.isEmpty else { return similar }
        }
        return []
    }

    /// Returns the error for a list that is empty because the app has no product of the name that filters it.
    func unknownFilter(_ client: StoreClient) async -> StoreClientError? {
        guard isFilter, let product, let known = try? await client.catalogProductIDs(of: app), !known.contains(product)
        else { return nil }
        let error = StoreClientError(.refused, "productNotFound", "the app has no product \(product)")
        return error.suggesting(NearMatches.of(product, in: known))
    }

    /// Returns the names of the catalog that are spelled like the first one that it doesn't have.
    private func similarInCatalog(_ client: StoreClient) async -> [String] {
        if let product {
            guard let known = try? await client.catalogProductIDs(of: app) else { return [] }
            guard known.contains(product) else { return Self.similar(to: product, in: known) }
        }
        if let group { return Self.similar(to: group, in: try? await client.groupNames(of: app)) }
        guard let product, let offer else { return [] }
        return Self.similar(to: offer, in: try? await client.offerIDs(of: product, of: app))
    }

    private static func similar(to word: String?, in known: [String]?) -> [String] {
        guard let word, let known, !known.contains(word) else { return [] }
        return NearMatches.of(word, in: known)
    }
}

/// A thing of a store by its name or number: a list of the store has the others of its kind.
struct NamedThing: Sendable {
    private enum List: Sendable {
        /// A list of an environment.
        case environment(String)
        /// A list of an app in an environment.
        case app(String)
        /// A list of the whole store.
        case store(String)
    }

    /// The name in the arguments.
    let name: String
    private let list: List
    /// The fields of a row that hold names.
    private let fields: [String]

    static func app(_ name: String) -> Self { Self(name: name, list: .store("apps"), fields: ["bundleId"]) }
    static func product(_ name: String) -> Self {
        Self(name: name, list: .app("catalog/products"), fields: ["productId"])
    }
    static func user(_ name: String) -> Self { Self(name: name, list: .store("users"), fields: ["username"]) }
    static func invitation(_ name: String) -> Self {
        Self(name: name, list: .store("user-invitations"), fields: ["email"])
    }
    static func submission(_ name: String) -> Self {
        Self(name: name, list: .store("reviews"), fields: ["submissionId"])
    }
    static func certificate(_ serialNumber: String) -> Self {
        Self(name: serialNumber, list: .store("certificates"), fields: ["serialNumber"])
    }
    static func key(_ name: String) -> Self { Self(name: name, list: .app("keys"), fields: ["keyId"]) }
    static func code(_ name: String) -> Self {
        Self(name: name.uppercased(), list: .app("offer-codes"), fields: ["code"])
    }
    static func notification(_ name: String) -> Self {
        Self(name: name, list: .app("notifications/history?limit=200"), fields: ["notificationUUID"])
    }
    static func family(_ id: Int64) -> Self { Self(name: "\(id)", list: .environment("families"), fields: ["id"]) }
    static func approval(_ id: Int64) -> Self { Self(name: "\(id)", list: .environment("approvals"), fields: ["id"]) }
    static func interruption(_ id: Int64) -> Self {
        Self(name: "\(id)", list: .environment("interruptions"), fields: ["id"])
    }
    static func account(_ name: String) -> Self {
        Self(name: name, list: .environment("accounts?limit=200"), fields: ["account"])
    }
    static func quarantined(_ id: TransactionID) -> Self {
        Self(name: "\(id)", list: .environment("quarantine"), fields: ["originalTransactionId"])
    }
    static func transaction(_ id: TransactionID) -> Self {
        Self(
            name: "\(id)", list: .app("transactions?limit=200"), fields: ["transactionId", "originalTransactionId"])
    }
    static func subscription(_ id: TransactionID) -> Self {
        Self(name: "\(id)", list: .app("subscriptions?limit=200"), fields: ["originalTransactionId"])
    }

    /// Returns the names in the list of the thing's kind: those of its first page.
    func known(_ client: StoreClient, app: String?) async throws -> [String] {
        let answer: StoreAnswer<AnyAnswer>
        switch list {
        case .environment(let path) where path.contains("approvals") || path.contains("interruptions"):
            let app = try await client.app(app)
            answer = try await client.get("control/v1/\(path)?bundleId=\(app.percentEncoded)")
        case .environment(let path): answer = try await client.get("control/v1/\(path)")
        case .app(let path):
            let app = try await client.app(app)
            answer = try await client.get("control/v1/apps/\(app.percentEncoded)/\(path)")
        case .store(let path): answer = try await client.at(.production).get("control/v1/\(path)")
        }
        guard let members = try JSONSerialization.jsonObject(with: Data(answer.json)) as? [String: Any] else {
            return []
        }
        let rows = members.values.compactMap { $0 as? [[String: Any]] }.flatMap(\.self)
        var names: [String] = []
        for name in rows.flatMap({ row in fields.compactMap { row[$0] as? String } }) where !names.contains(name) {
            names.append(name)
        }
        return names
    }

    /// An answer whose text is read.
    private struct AnyAnswer: Decodable {}
}
