import Foundation
import Perennial
import PerennialConnect
import PerennialStorage
import PerennialStore
import TestSupport
import Testing

@testable import AppStoreFormats

/// Two nodes with databases of their own over one location: no node answers from a cache that the other has made out of
/// date. `CatalogCacheTests` has the catalog's.
struct NodeCacheTests {
    private static func nodes(_ engine: Engine, _ name: String = "Sandbox") async throws -> (TestStore, TestStore) {
        let location = try engine.makeLocation()
        let databases = try (0..<2).map { _ in try Database(location, options: .forTests) }
        try databases[0].migrate()
        let one = try await TestStore.open(databases[0])
        let two = try await TestStore.open(databases[1], seed: 2)
        return (try await one.environment(name), try await two.environment(name))
    }

    @Test(arguments: Engine.lasting)
    func `an API key revoked on one node is refused on the other at once`(engine: Engine) async throws {
        let (one, two) = try await Self.nodes(engine)
        let sold = try await one.buy("film.roll", as: "ann")
        let key = try await TestServerAPIKey(of: one)
        let token = try key.token(at: one.clock.now)
        for node in [one, two] {
            let caller = try await node.registry.apiKeyAuthenticator.caller(of: token)
            #expect(try await !node.store.history.signedTransaction(sold.id, for: caller).isEmpty)
        }
        try await key.revoke(in: one)
        for node in [two, one] {
            // The token's signature is cached; its key is read for each answer.
            await #expect(throws: StoreError(.unauthorized, "", "")) {
                let caller = try await node.registry.apiKeyAuthenticator.caller(of: token)
                _ = try await node.store.history.signedTransaction(sold.id, for: caller)
            }
        }
    }

    @Test(arguments: Engine.lasting)
    func `a Connect key revoked on one node is refused on the other at once`(engine: Engine) async throws {
        let (one, two) = try await Self.nodes(engine)
        let key = try await TestServerAPIKey(of: one, roles: [.admin])
        let seconds = Double(one.clock.now.milliseconds / 1000)
        let token = try key.token(
            at: one.clock.now, claims: ["bid": nil, "iat": .number(seconds), "exp": .number(seconds + 300)])
        for node in [one, two] {
            #expect(try await node.registry.connectAuthenticator.caller(of: token).keyID == key.key.id)
        }
        _ = try await one.keys.revokeTeamKey(key.key.id)
        for node in [two, one] {
            await #expect(throws: StoreError(.unauthorized, "", "")) {
                _ = try await node.registry.connectAuthenticator.caller(of: token)
            }
        }
    }

    @Test(arguments: Engine.lasting)
    func `a new shared secret holds on both nodes at once`(engine: Engine) async throws {
        let (one, two) = try await Self.nodes(engine)
        try await one.buy("monthly", as: "ann")
        let receipt = try await one.receipt(of: "ann")
        for node in [one, two] {
            #expect(try await node.verify(receipt, password: TestCatalog.sharedSecret)["status"] == 0)
        }
        let secret = try await one.keys.makeSharedSecret(of: TestCatalog.bundleID)
        for node in [two, one] {
            #expect(try await node.verify(receipt, password: TestCatalog.sharedSecret)["status"] == 21004)
            #expect(try await node.verify(receipt, password: secret)["status"] == 0)
        }
    }

    @Test(arguments: Engine.lasting)
    func `a refund on one node changes the other's answers at once`(engine: Engine) async throws {
        let (one, two) = try await Self.nodes(engine)
        let sold = try await one.buy("monthly", as: "ann")
        let receipt = try await two.receipt(of: "ann")
        let seller = try await Seller(of: two)
        #expect(try seller.payload(try await seller.text(of: sold.id)).revocationDate == nil)
        let before = try await two.verify(receipt, password: TestCatalog.sharedSecret)
        #expect(before["latest_receipt_info"]?.elements?.first?["cancellation_date"] == nil)
        try await one.refund(sold)
        #expect(try seller.payload(try await seller.text(of: sold.id)).revocationDate != nil)
        let after = try await two.verify(receipt, password: TestCatalog.sharedSecret)
        #expect(after["latest_receipt_info"]?.elements?.first?["cancellation_date"] != nil)
    }

    @Test(arguments: Engine.lasting)
    func `a clock moved on one node holds on the other at once`(engine: Engine) async throws {
        let (one, two) = try await Self.nodes(engine)
        _ = try await one.registry.makeEnvironment(
            "lab", kind: .production, clock: .manual, now: TestStore.opening.wholeSeconds)
        let (first, second) = (try await one.environment("lab"), try await two.environment("lab"))
        _ = try await second.buy("monthly", as: "ann")
        let start = try await second.store.now()
        for day in 1...3 {
            let mover = day.isMultiple(of: 2) ? first : second
            try await mover.store.clock.advance(to: start + .days(Int64(day)))
            for node in [first, second] {
                #expect(try await node.store.now() == start + .days(Int64(day)))
                let sold = try await node.buy("film.roll", as: "ann")
                #expect(sold.purchaseDate == start + .days(Int64(day)))
            }
        }
    }

    @Test(arguments: Engine.lasting)
    func `an environment deleted and made again on one node is the new one on the other`(engine: Engine) async throws {
        let (one, two) = try await Self.nodes(engine)
        _ = try await one.registry.makeEnvironment("lab", kind: .sandbox, clock: .real, now: nil)
        let old = try await two.environment("lab")
        let sold = try await old.buy("film.roll", as: "ann")
        let token = try await old.signIn("ann").token
        try await one.registry.removeEnvironment("lab")
        #expect(try await two.registry.store(named: "lab") == nil)
        _ = try await one.registry.makeEnvironment("lab", kind: .sandbox, clock: .real, now: nil)
        let new = try await two.environment("lab")
        #expect(new.store.environment.id != old.store.environment.id)
        await #expect(throws: (any Error).self) { _ = try await new.store.accounts.customer(token: token) }
        #expect(try await new.buy("film.roll", as: "ann").id != sold.id)
        #expect(try await new.restore("ann").isEmpty)
    }

    @Test(arguments: Engine.lasting)
    func `an emptied environment is empty on the other node at once`(engine: Engine) async throws {
        let (one, two) = try await Self.nodes(engine)
        try await two.buy("monthly", as: "ann")
        let receipt = try await two.receipt(of: "ann")
        #expect(try await two.verify(receipt, password: TestCatalog.sharedSecret)["status"] == 0)
        try await one.store.reset()
        let answer = try await two.verify(receipt, password: TestCatalog.sharedSecret)
        #expect(answer["latest_receipt_info"]?.elements?.isEmpty ?? true)
        try await two.buy("monthly", as: "ann")
    }
}
