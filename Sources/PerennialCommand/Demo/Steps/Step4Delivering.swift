import BaseEncoding
import Crypto
import Foundation
import OpenStoreKit
import Perennial

/// Content comes from Delivery against the receipt, through a cut connection too, and later.
struct Delivering: Step {
    static let title = "Content comes from the seller's server, against the receipt"

    /// The bytes after which the connection breaks.
    private static let cut = 1_300_000
    /// Greta's, at the seller's.
    static let password = "correct horse battery staple"

    let demo: DemoEnvironment

    private var phone: Device { demo.greta }

    func run(_ printer: Printer) async throws -> (outcome: Data, proof: String) {
        try publishToday(printer)
        try await phone.delivery.signIn(customer: "greta", password: Self.password)
        let grant = try await grant(for: try phone.receipt(), printer)
        try expect(
            "what the receipt opens", Set(grant.content.map(\.contentId)),
            is: ["filter-silver", "archive-index", "issue-today", "newsletter-today"])
        try expect("the terms of non-renewing subscriptions", grant.nonRenewing.count, is: 1)
        printer.came("open: \(grant.content.map(\.contentId).listed)", to: phone.name)
        printer.more("no issue from before the subscription; the archive runs until \(Self.day(grant.nonRenewing))")
        try await fetchSmall(grant, printer)
        let receipt = try await buyLarge(printer)
        try await fetchLarge(against: receipt, printer)
        return (receipt, "Each file's SHA-256 is as promised; the cut download went on where it stopped.")
    }

    /// The seller publishes: the catalog changes on disk, and Delivery reads it again.
    private func publishToday(_ printer: Printer) throws {
        let now = WallClock.now().rfc3339()
        let (issues, folder) = (demo.folder.content.appending(path: "issues/today.txt"), demo.folder)
        try Data("Photo Magazine, the issue of \(now).\n".utf8).write(to: issues)
        let magazine = ["yearly", "monthly", "weekly"].map { "\(DemoFolder.bundleID).magazine.\($0)" }.listed
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
                subscriptions: [\(DemoFolder.bundleID).newsletter.free]

            """
        let catalog = try Data(contentsOf: folder.catalog)
        try (catalog + Data(added.utf8)).write(to: folder.catalog, options: .atomic)
        printer.sent("seller", "catalog.yaml: today's issue and newsletter, published \(now)")
        printer.came("Delivery reads it again by itself")
    }

    /// Shows a receipt to Delivery, and tells what Delivery asked of the store.
    private func grant(for receipt: Data, _ printer: Printer) async throws -> DeliveryGrant {
        printer.sent(phone.name, "Delivery: this app receipt (\(Int64(receipt.count).asBytes)), signed in as greta")
        let mark = demo.questions.mark
        let grant = try await phone.delivery.grant(for: receipt, deviceID: phone.facts.identifier)
        let asked = demo.questions.exchanges(since: mark)
        try expect("whom Delivery asked", asked.map(\.path), is: ["/verifyReceipt", "/sandbox/verifyReceipt"])
        try expect("what the store said", asked.map(\.receiptStatus), is: [21007, 0])
        try expect("the receipt's environment", grant.environment, is: "Sandbox")
        let course = asked.map { "\($0.path) \($0.receiptStatus ?? -1)" }.joined(separator: " → ")
        printer.sent("Delivery", "store: verifyReceipt, production first")
        printer.came(course)
        return grant
    }

    private func fetchSmall(_ grant: DeliveryGrant, _ printer: Printer) async throws {
        for content in grant.content {
            let file = try await phone.fetch(content, grant)
            try expect("the SHA-256 of \(content.contentId)", try Self.digest(of: file), is: content.sha256)
        }
        printer.sent(phone.name, "Delivery: GET these \(grant.content.count) files")
        printer.came(grant.content.map { "\(($0.filename ?? $0.contentId).replacing(" ", with: "-"))" }.listed)
        let open = phone.queue.transactions
        try expect(
            "what waits for its content", Set(open.map(\.payment.productIdentifier.withoutBundleID)),
            is: [
                "filter.silver", "archive.1week",
            ])
        for transaction in open { try await phone.finish(transaction) }
        printer.sent(phone.name, "finishTransaction filter.silver, archive.1week: delivered")
        printer.came("the store has acknowledged both; the queue is empty")
    }

    /// Bought and finished at once, with the receipt kept: its content can wait.
    private func buyLarge(_ printer: Printer) async throws -> Data {
        let product = try await phone.product("special.portraits")
        printer.sent(
            phone.name, "SKPayment special.portraits, \(product.storeDisplayPrice); it is large, so the receipt is kept"
        )
        let outcome = try await phone.buy(product)
        try expect("the course of buying special.portraits", outcome.course, is: "purchasing, purchased")
        let kept = phone.facts.folder.appending(path: "kept-receipt")
        try phone.receipt().write(to: kept)
        try await phone.finish(outcome.transaction)
        try expect("unfinished transactions", phone.queue.transactions.count, is: 0)
        printer.came("\(outcome.course), finished before anything is fetched")
        return try Data(contentsOf: kept)
    }

    private func fetchLarge(against receipt: Data, _ printer: Printer) async throws {
        printer.aside("Later:")
        let grant = try await grant(for: receipt, printer)
        let content = try required("the large content", grant.content.first { $0.contentId == "special-portraits" })
        let mark = demo.network.mark
        demo.network.next(.cut(afterBytes: Self.cut))
        printer.came("open now: \(content.contentId), \(content.size.asBytes)", to: phone.name)
        printer.sent(phone.name, "Delivery: GET it, through a network that breaks in the middle")
        let file = try await phone.fetch(content, grant)
        let requests = demo.network.exchanges(since: mark).filter { $0.path.contains("/content/") }
        try expect("how the file was asked for", requests.map(\.httpStatus), is: [200, 206])
        try expect("the first request", requests.first?.range, is: nil)
        let range = try required("the second request's range", requests.last?.range)
        let start = try required("a byte to resume at", Int64(range.dropFirst("bytes=".count).dropLast()))
        try expect("the resumed byte lies in the middle", start > 0 && start < content.size, came: "byte \(start)")
        let sent = try Self.digest(of: demo.folder.largeFile)
        try expect("the SHA-256 of what arrived", try Self.digest(of: file), is: sent)
        printer.came("200, cut after \(start.asBytes)")
        printer.sent(phone.name, "Delivery: Range: \(range)")
        printer.came("206, the remaining \((content.size - start).asBytes); SHA-256 \(sent.prefix(12))… is right")
    }

    private static func digest(of file: URL) throws -> String {
        Hexadecimal.encode(SHA256.hash(data: try Data(contentsOf: file)))
    }

    private static func day(_ terms: [OpenStoreKit.NonRenewingTerm]) -> String {
        terms.first.map { $0.expires.formatted(.iso8601.year().month().day()) } ?? "never"
    }
}
