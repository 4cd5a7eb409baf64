import StoreKit
import StoreKitTest
import Testing

@testable import Newsstand

/// Each test has a store, a clock and a publisher of its own.
struct NewsstandTests {
    private static let weekly = "com.example.photomag.magazine.weekly"
    private static let monthly = "com.example.photomag.magazine.monthly"
    private static let yearly = "com.example.photomag.magazine.yearly"
    private static let magazine = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("Magazine")

    let session: SKTestSession
    let folder: URL

    init() throws {
        session = try SKTestSession(contentsOf: Self.magazine.appendingPathComponent("Magazine.storekit"))
        session.disableDialogs = true
        try session.clock.set(to: try Self.date("2026-02-20T12:00:00Z"))
        session.clock.stop()
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("issues-\(UUID())")
        for month in 1...6 {
            let issue = "2026-0\(month)"
            try session.setContent(
                "issue-\(issue)", of: Subscription.products,
                file: Data(contentsOf: Self.magazine.appendingPathComponent("content/issues/\(issue).txt")),
                filename: "\(issue).txt", published: try Self.date("\(issue)-01T00:00:00Z"))
        }
    }

    private static func date(_ text: String) throws -> Date { try Date(text, strategy: .iso8601) }

    private func openShelf(downloadsNewIssues: Bool = false) throws -> Shelf {
        try Shelf(server: session.contentServer, folder: folder, downloadsNewIssues: downloadsNewIssues)
    }

    @Test func `issues arrive with the months that are paid`() async throws {
        try await session.withSession {
            let shelf = try openShelf()
            #expect(try await Subscription.state() == .none)
            #expect(try await Subscription.subscribe(to: Self.monthly))
            #expect(try await Subscription.state().isSubscribed)
            try await shelf.refresh()
            #expect(await shelf.issues.map(\.id) == [])
            try session.clock.advance(by: DateComponents(month: 2))
            try await shelf.refresh()
            #expect(await shelf.issues.map(\.id) == ["issue-2026-03", "issue-2026-04"])
            let url = try await shelf.open("issue-2026-03")
            #expect(try String(contentsOf: url, encoding: .utf8).contains("2026"))
            #expect(url.lastPathComponent == "2026-03.txt")
        }
    }

    @Test func `issues stay when the subscription ends`() async throws {
        try await session.withSession {
            // The free week has the first of March in it.
            try session.clock.set(to: try Self.date("2026-02-26T12:00:00Z"))
            #expect(try await Subscription.subscribe(to: Self.monthly))
            let transaction = try #require(session.allTransactions().first)
            try session.disableAutoRenewForTransaction(identifier: transaction.identifier)
            guard case .active(_, _, next: nil) = try await Subscription.state() else {
                Issue.record("renewed")
                return
            }
            try session.clock.advance(by: DateComponents(month: 3))
            #expect(try await Subscription.state() == .expired(product: Self.monthly))
            let shelf = try openShelf()
            try await shelf.refresh()
            #expect(await shelf.issues.map(\.id) == ["issue-2026-03"])
        }
    }

    @Test func `a new device restores the subscription and its issues`() async throws {
        try await session.withSession {
            #expect(try await Subscription.subscribe(to: Self.yearly))
            try session.clock.advance(by: DateComponents(month: 2))
            let shelf = try openShelf(downloadsNewIssues: true)
            try await shelf.restore()
            for await items in shelf.updates where items.count == 2 && items.allSatisfy({ $0.state == .downloaded }) {
                break
            }
            #expect(await shelf.issues.map(\.progress) == [1, 1])
        }
        // Without a network, the issues are readable.
        let offline = try openShelf()
        #expect(try String(contentsOf: await offline.open("issue-2026-04"), encoding: .utf8).isEmpty == false)
    }

    @Test func `a refund takes the issues of its period`() async throws {
        try await session.withSession {
            try session.clock.set(to: try Self.date("2026-02-26T12:00:00Z"))
            #expect(try await Subscription.subscribe(to: Self.weekly))
            try session.clock.advance(by: DateComponents(day: 4))
            let shelf = try openShelf()
            try await shelf.refresh()
            _ = try await shelf.open("issue-2026-03")
            let transaction = try #require(session.allTransactions().first)
            try session.refundTransaction(identifier: transaction.identifier)
            #expect(try await Subscription.state() == .refunded(product: Self.weekly))
            try await shelf.refresh()
            #expect(await shelf.issues.isEmpty)
        }
    }

    @Test func `a failed payment is told from the end of the subscription`() async throws {
        try await session.withSession {
            #expect(try await Subscription.subscribe(to: Self.monthly))
            session.shouldEnterBillingRetryOnRenewal = true
            try session.clock.advance(by: DateComponents(month: 1, day: 9))
            #expect(
                try await Subscription.state() == .paymentFailed(product: Self.monthly, hasGracePeriod: false))
        }
    }

    @Test func `an issue that was put back comes again`() async throws {
        try await session.withSession {
            #expect(try await Subscription.subscribe(to: Self.yearly))
            try session.clock.advance(by: DateComponents(month: 1))
            let shelf = try openShelf()
            try await shelf.refresh()
            let first = try await shelf.open("issue-2026-03")
            try await shelf.putBack("issue-2026-03")
            #expect(await shelf.issues.map(\.state) == [.available])
            #expect(try await shelf.open("issue-2026-03") == first)
        }
    }
}
