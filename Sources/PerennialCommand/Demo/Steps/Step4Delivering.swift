import Crypto
import Foundation
import OpenStoreKit
import Perennial

/// Content comes from Delivery against the receipt, through a cut connection too, and later.
struct Delivering: Step {
    static let title = "Content comes from the seller's server, against the receipt"

    /// Where the connection breaks, in bytes.
    private static let cut = 1_300_000
    /// Greta's, at the seller's.
    static let password = "correct horse battery staple"

    let stage: Stage

    private var phone: Device { stage.greta }

    func play(_ narrator: Narrator) async throws -> (outcome: Data, proof: String) {
        try publishToday(narrator)
        try await phone.delivery.signIn(customer: "greta", password: Self.password)
        let grant = try await grant(for: try phone.receipt(), narrator)
        try expect(
            "what the receipt opens", Set(grant.content.map(\.contentId)),
            is: ["filter-silver", "archive-index", "issue-today", "newsletter-today"])
        try expect("the terms of non-renewing subscriptions", grant.nonRenewing.count, is: 1)
        narrator.came("open: \(grant.content.map(\.contentId).listed)", to: phone.name)
        narrator.more("no issue from before the subscription; the archive runs until \(Self.day(grant.nonRenewing))")
        try await fetchSmall(grant, narrator)
        let receipt = try await buyLarge(narrator)
        try await fetchLarge(against: receipt, narrator)
        return (receipt, "Each file's SHA-256 is as promised; the cut download went on where it stopped.")
    }

    /// The seller publishes: the catalog changes on disk, and Delivery reads it again.
    private func publishToday(_ narrator: Narrator) throws {
        let now = WallClock.now().rfc3339()
        let (issues, folder) = (stage.folder.content.appending(path: "issues/today.txt"), stage.folder)
        try Data("Photo Magazine, the issue of \(now).\n".utf8).write(to: issues)
        let magazine = ["yearly", "monthly", "weekly"].map { "\(StageFolder.bundleID).magazine.\($0)" }.listed
        let added = """

              - id: issue-today
                file: issues/today.txt
                filename: Photo Magazine \(now.prefix(10)).txt
                published: "\(now)"
                subscriptions: [\(magazine)]
              - id: newsletter-today
                file: newsletter/picture.txt
                filename: Newsletter \(now.prefix(10)).txt
                published: "\(now)"
                subscriptions: [\(StageFolder.bundleID).newsletter.free]

            """
        let catalog = try Data(contentsOf: folder.catalog)
        try (catalog + Data(added.utf8)).write(to: folder.catalog, options: .atomic)
        narrator.sent("seller", "catalog.yaml: today's issue and newsletter, published \(now)")
        narrator.came("Delivery reads it again by itself")
    }

    /// Shows a receipt to Delivery, and tells what Delivery asked of the store.
    private func grant(for receipt: Data, _ narrator: Narrator) async throws -> DeliveryGrant {
        narrator.sent(phone.name, "Delivery: this app receipt (\(Int64(receipt.count).asBytes)), signed in as greta")
        let mark = stage.questions.mark
        let grant = try await phone.delivery.grant(for: receipt, deviceID: phone.facts.identifier)
        let asked = stage.questions.passages(since: mark)
        try expect("whom Delivery asked", asked.map(\.path), is: ["/verifyReceipt", "/sandbox/verifyReceipt"])
        try expect("what the store said", asked.map(\.receiptStatus), is: [21007, 0])
        try expect("the receipt's environment", grant.environment, is: "Sandbox")
        let course = asked.map { "\($0.path) \($0.receiptStatus ?? -1)" }.joined(separator: " → ")
        narrator.sent("Delivery", "store: verifyReceipt, production first")
        narrator.came(course)
        return grant
    }

    private func fetchSmall(_ grant: DeliveryGrant, _ narrator: Narrator) async throws {
        for content in grant.content {
            let file = try await phone.fetch(content, grant)
            try expect("the SHA-256 of \(content.contentId)", try Self.digest(of: file), is: content.sha256)
        }
        narrator.sent(phone.name, "Delivery: GET these \(grant.content.count) files")
        narrator.came(grant.content.map { "\(($0.filename ?? $0.contentId).replacing(" ", with: "-"))" }.listed)
        let open = phone.queue.transactions
        try expect(
            "what waits for its content", Set(open.map(\.payment.productIdentifier.withoutBundleID)),
            is: [
                "filter.silver", "archive.1week",
            ])
        for transaction in open { try await phone.finish(transaction) }
        narrator.sent(phone.name, "finishTransaction filter.silver, archive.1week: delivered")
        narrator.came("the store has acknowledged both; the queue is empty")
    }

    /// Bought and finished at once, with the receipt kept: its content can wait.
    private func buyLarge(_ narrator: Narrator) async throws -> Data {
        let product = try await phone.product("special.portraits")
        narrator.sent(
            phone.name, "SKPayment special.portraits, \(product.displayPrice); it is large, so the receipt is kept")
        let outcome = try await phone.buy(product)
        try expect("the course of buying special.portraits", outcome.course, is: "purchasing, purchased")
        let kept = phone.facts.folder.appending(path: "kept-receipt")
        try phone.receipt().write(to: kept)
        try await phone.finish(outcome.transaction)
        try expect("unfinished transactions", phone.queue.transactions.count, is: 0)
        narrator.came("\(outcome.course), finished before anything is fetched")
        return try Data(contentsOf: kept)
    }

    private func fetchLarge(against receipt: Data, _ narrator: Narrator) async throws {
        narrator.aside("Later:")
        let grant = try await grant(for: receipt, narrator)
        let content = try required("the large content", grant.content.first { $0.contentId == "special-portraits" })
        let mark = stage.network.mark
        stage.network.next(.cut(afterBytes: Self.cut))
        narrator.came("open now: \(content.contentId), \(content.size.asBytes)", to: phone.name)
        narrator.sent(phone.name, "Delivery: GET it, through a network that breaks in the middle")
        let file = try await phone.fetch(content, grant)
        let requests = stage.network.passages(since: mark).filter { $0.path.contains("/content/") }
        try expect("how the file was asked for", requests.map(\.httpStatus), is: [200, 206])
        try expect("the first request", requests.first?.range, is: nil)
        let range = try required("the second request's range", requests.last?.range)
        let start = try required("a byte to resume at", Int64(range.dropFirst("bytes=".count).dropLast()))
        try expect("the resumed byte lies in the middle", start > 0 && start < content.size, came: "byte \(start)")
        let sent = try Self.digest(of: stage.folder.largeFile)
        try expect("the SHA-256 of what arrived", try Self.digest(of: file), is: sent)
        narrator.came("200, cut after \(start.asBytes)")
        narrator.sent(phone.name, "Delivery: Range: \(range)")
        narrator.came("206, the remaining \((content.size - start).asBytes); SHA-256 \(sent.prefix(12))… is right")
    }

    private static func digest(of file: URL) throws -> String {
        SHA256.hash(data: try Data(contentsOf: file)).hexadecimal
    }

    private static func day(_ terms: [OpenStoreKit.NonRenewingTerm]) -> String {
        terms.first.map { $0.expires.formatted(.iso8601.year().month().day()) } ?? "never"
    }
}
