import Hummingbird
import Perennial
import PerennialConnect
import PerennialStore

/// Bindings of `sandboxTesters`: the accounts of Sandbox, or of the sandbox environment that is asked.
enum SandboxTesterBindings {
    static let all = [testers, clearing]

    private static let testers = ConnectBinding(
        type: "sandboxTesters",
        read: { id, at in
            let testers = TesterDraft(of: at.environment, on: at.catalog.connection)
            return try Int64(id).flatMap { try testers.tester($0) }.map { attributes($0) }
        },
        list: { at in
            let testers = TesterDraft(of: at.environment, on: at.catalog.connection)
            let page = TesterPage(testers, first: at.query.offset, limit: at.query.limit)
            return ConnectIDs(count: try testers.count()) { try page.id(at: $0) }
        },
        update: { id, entity, at in
            let testers = TesterDraft(of: at.environment, on: at.catalog.connection)
            guard var tester = try Int64(id).flatMap({ try testers.tester($0) }) else {
                throw ConnectFailure.notFound("sandboxTesters", id)
            }
            try update(&tester.account, entity)
            try testers.update(tester)
        })

    /// A request has no resource of its own: when it is answered, it is done.
    private static let clearing = ConnectBinding(
        type: "sandboxTestersClearPurchaseHistoryRequest", read: { _, _ in nil },
        custom: [
            "POST v2/sandboxTestersClearPurchaseHistoryRequest": { call in
                let ids = call.entity?.many("sandboxTesters") ?? []
                guard (1...Testers.maximumCleared).contains(ids.count) else {
                    throw CatalogEditError(
                        .relationshipInvalid, at: .relationship("sandboxTesters"),
                        "A request names 1 to \(Testers.maximumCleared) testers.")
                }
                let numbers = try ids.map { id in
                    guard let number = Int64(id) else {
                        throw CatalogEditError(
                            .relationshipInvalid, at: .relationship("sandboxTesters"),
                            "There is no resource of type 'sandboxTesters' with id '\(id)'.")
                    }
                    return number
                }
                let store = try await call.store.storeOfTesters()
                try await store.testers.clearPurchaseHistories(of: numbers)
                let now = try await store.now()
                let resource = ConnectResource(
                    type: "sandboxTestersClearPurchaseHistoryRequest",
                    id: DerivedUUID.make("clear \(ids) \(now.milliseconds)"), attributes: [:])
                return try ConnectDocument(resource, call.links).response(.created)
            }
        ])

    private static func attributes(_ tester: SandboxTester) -> ConnectAttributes {
        [
            "firstName": .optional(tester.firstName), "lastName": .optional(tester.lastName),
            "acAccountName": .text(tester.account.name), "territory": .text(tester.account.storefront.rawValue),
            "applePayCompatible": .bool(false), "interruptPurchases": .bool(tester.account.interruptsPurchases),
            "subscriptionRenewalRate": .optional(tester.renewalRateName),
        ]
    }

    /// Null gives the renewal rate back to the environment. A territory can't be null.
    private static func update(_ account: inout Account, _ entity: ConnectEntity) throws {
        if let territory = try entity.text("territory") {
            let storefront = Storefront(rawValue: territory)
            guard storefront.currency != nil else {
                throw CatalogEditError(
                    .invalid, at: .attribute("territory"), "'\(territory)' is no storefront of this store.")
            }
            account.storefront = storefront
        }
        account.interruptsPurchases = try entity.bool("interruptPurchases") ?? account.interruptsPurchases
        if entity.isNull("subscriptionRenewalRate") { account.renewalRate = nil }
        if let name = try entity.text("subscriptionRenewalRate") {
            guard let rate = SandboxTester.renewalRates.first(where: { $0.name == name })?.rate else {
                throw CatalogEditError(
                    .invalid, at: .attribute("subscriptionRenewalRate"), "'\(name)' is no renewal rate of testers.")
            }
            account.renewalRate = rate
        }
    }
}

/// The IDs of a page of testers, read when the first of them is asked for.
private final class TesterPage {
    private let testers: TesterDraft
    private let first: Int
    private let limit: Int
    private var ids: [String]?

    init(_ testers: TesterDraft, first: Int, limit: Int) {
        (self.testers, self.first, self.limit) = (testers, first, limit)
    }

    func id(at index: Int) throws -> String {
        let page = try ids ?? testers.page(limit: limit, offset: first).map { String($0.id) }
        ids = page
        if page.indices.contains(index - first) { return page[index - first] }
        return try testers.page(limit: 1, offset: index).first.map { String($0.id) } ?? ""
    }
}
