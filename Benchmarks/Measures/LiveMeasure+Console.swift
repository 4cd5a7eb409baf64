import AppStoreFormats
import AsyncHTTPClient
import Dispatch
import Foundation
import NIOCore
import NIOHTTP1
import Perennial
import PerennialConnect
import PerennialConsole
import PerennialHTTP
import PerennialStorage
import PerennialStore
import Synchronization

/// The console's live page while purchases are made: the stream that a browser reads.
extension LiveMeasure {
    /// Purchases a second of which each has a row of its own, because a page gets twice as many.
    private static let calmRate = LiveWatcher.rowsPerSecond / 2

    static func shown(
        _ bench: Bench, _ shop: BenchmarkStore, _ buyers: [Customer]
    ) async throws -> [Figure] {
        let services = ConsoleServices(
            registry: shop.registry,
            catalog: CatalogEditor(database: shop.database, wallClock: { Instant(Date()) }),
            keys: APIKeys(
                database: shop.database, wallClock: { Instant(Date()) }, randomBytes: BenchmarkStore.randomBytes),
            rootCertificate: bench.identities.rootCertificate, authority: nil, delivery: nil,
            wallClock: { Instant(Date()) }, randomBytes: BenchmarkStore.randomBytes)
        let link = try await services.accounts.makeLink()
        let token = try await services.accounts.signIn(link: link.code, from: nil)
        var described = PerennialRouter(
            registry: shop.registry, controlToken: "bench", rootCertificate: bench.identities.rootCertificate,
            delivery: nil, nanoseconds: { DispatchTime.now().uptimeNanoseconds })
        described.extensions.append(ConsoleRouter(services: services))
        return try await BenchmarkServer.run(described.make()) { server in
            let client = HTTPClient(eventLoopGroupProvider: .singleton)
            let page = LivePage(client: client, port: server.port, token: token, environment: shop.store.environment)
            let result: Result<[Figure], any Error>
            do {
                result = .success(
                    try await rows(bench, shop, buyers, page) + flood(bench, shop, buyers, page)
                        + [cost(bench, shop, buyers, page)])
            } catch {
                result = .failure(error)
            }
            try await client.shutdown()
            return try result.get()
        }
    }

    /// Purchases at a rate at which each has its row.
    private static func rows(
        _ bench: Bench, _ shop: BenchmarkStore, _ buyers: [Customer], _ page: LivePage
    ) async throws -> [Figure] {
        let count = calmRate * (bench.isQuick ? 1 : seconds)
        let followed = try await follow(count, calmRate, shop, buyers, page)
        let delays = followed.instants.delays
        guard delays.count == count else { throw BenchmarkError("\(delays.count) of \(count) rows were shown") }
        return [
            Figure(
                "a commit to its row on the live page, median", "ms", ours: delays.median, limit: longestDelay,
                .atMost(1), notes: ["\(calmRate) purchases a second, each a row of HTML that a browser adds"]),
            Figure(
                "a commit to its row on the live page, worst", "ms", ours: delays.max() ?? .infinity,
                limit: longestDelay, .atMost(1)),
        ]
    }

    /// Purchases at a rate at which the page shows some and counts the others.
    private static func flood(
        _ bench: Bench, _ shop: BenchmarkStore, _ buyers: [Customer], _ page: LivePage
    ) async throws -> [Figure] {
        let count = rate * (bench.isQuick ? 1 : seconds)
        let followed = try await follow(count, rate, shop, buyers, page)
        return [
            Figure(
                "longest silence of the live page at \(rate) purchases a second", "ms",
                ours: followed.longestSilence, limit: longestDelay, .atMost(1),
                notes: ["\(followed.instants.seen) of \(count) purchases had a row, the others were counted"]),
            Figure(
                "the last of them on the live page or counted", "ms", ours: followed.lag, limit: longestDelay,
                .atMost(1)),
        ]
    }

    /// Purchases, as many as the machine makes, in turn with an open page and without.
    private static func cost(
        _ bench: Bench, _ shop: BenchmarkStore, _ buyers: [Customer], _ page: LivePage
    ) async throws -> Figure {
        let count = bench.count(40_000)
        var (ours, limit): ([Double], [Double]) = ([], [])
        for _ in 0..<bench.shortRounds {
            limit.append(Double(count) / (try await sell(count, shop, buyers)))
            let progress = Progress()
            let reading = try await page.open(progress, Instants())
            ours.append(Double(count) / (try await sell(count, shop, buyers)))
            reading.cancel()
            _ = await reading.result
        }
        return Figure(
            "purchases in the process while a live page is open", "1/s", ours: ours.median, limit: limit.median,
            .atLeast(0.95), notes: ["the limit: the same without a page"])
    }

    /// Events that a page was told.
    private struct Followed {
        var instants: Instants
        /// The time between two parts of the stream while purchases were made, in milliseconds.
        var longestSilence: Double
        /// The time from the last purchase until all were shown or counted, in milliseconds.
        var lag: Double
    }

    private static func follow(
        _ count: Int, _ rate: Int, _ shop: BenchmarkStore, _ buyers: [Customer], _ page: LivePage
    ) async throws -> Followed {
        let (instants, progress) = (Instants(), Progress())
        let reading = try await page.open(progress, instants)
        progress.start()
        try await sellSteadily(count, rate, shop, buyers, instants)
        let sold = ContinuousClock.now
        let silence = progress.longestSilence
        while progress.told < count {
            guard sold.duration(to: .now) < .seconds(10) else {
                reading.cancel()
                throw BenchmarkError("the live page was told \(progress.told) of \(count) purchases")
            }
            try await Task.sleep(for: .milliseconds(1))
        }
        reading.cancel()
        return Followed(
            instants: instants, longestSilence: silence,
            lag: max(0, sold.duration(to: progress.lastTold) / .milliseconds(1)))
    }
}

/// Events that a live page was told, with times.
private final class Progress: Sendable {
    private let state = Mutex((told: 0, last: ContinuousClock.now, silence: Duration.zero))

    var told: Int { state.withLock { $0.told } }
    var lastTold: ContinuousClock.Instant { state.withLock { $0.last } }
    var longestSilence: Double { state.withLock { $0.silence / .milliseconds(1) } }

    /// Begins to measure silences.
    func start() { state.withLock { $0 = (told: 0, last: .now, silence: .zero) } }

    func tell(_ count: Int) {
        state.withLock { state in
            let now = ContinuousClock.now
            state.silence = max(state.silence, state.last.duration(to: now))
            state.last = now
            state.told += count
        }
    }
}

/// A browser on the live page.
private struct LivePage: Sendable {
    let client: HTTPClient
    let port: Int
    let token: String
    let environment: StoreEnvironment

    /// Opens the page's stream, and reads it until the task is cancelled.
    func open(_ progress: Progress, _ instants: LiveMeasure.Instants) async throws -> Task<Void, any Error> {
        var request = HTTPClientRequest(
            url: """
                http://127.0.0.1:\(port)/console/\(environment.name)/\(BenchmarkCatalog.bundleID)/live/events\
                ?show=commerce
                """)
        request.headers.add(name: "Cookie", value: "perennial-session-\(port)=\(token)")
        let response = try await client.execute(request, timeout: .minutes(10))
        guard response.status == .ok else { throw BenchmarkError("the live page answers \(response.status)") }
        return Task {
            var events = LivePageEvents()
            for try await part in response.body {
                events.append(part) { transaction, others in
                    if let transaction { instants.see(transaction) }
                    progress.tell(others)
                }
            }
        }
    }
}

/// The events of a live page's stream.
///
/// Looks for a few bytes only: a browser reads on another machine, and this reader takes from the purchases' processors.
private struct LivePageEvents {
    private static let link = Array("transactions/".utf8)
    private static let further = Array(" further events".utf8)

    private var bytes: [UInt8] = []

    /// Reads a part of the stream. Passes on each event's transaction, if it is a row, and how many purchases it tells of.
    mutating func append(_ part: ByteBuffer, _ tell: (_ transaction: Int64?, _ purchases: Int) -> Void) {
        bytes.append(contentsOf: part.readableBytesView)
        var start = 0
        bytes.withUnsafeBytes { bytes in
            var end = 0
            while end + 1 < bytes.count {
                if bytes[end] == UInt8(ascii: "\n"), bytes[end + 1] == UInt8(ascii: "\n") {
                    Self.read(UnsafeRawBufferPointer(rebasing: bytes[start..<end]), tell)
                    start = end + 2
                    end = start
                } else {
                    end += 1
                }
            }
        }
        bytes.removeFirst(start)
    }

    private static func read(_ event: UnsafeRawBufferPointer, _ tell: (Int64?, Int) -> Void) {
        if let place = find(further, in: event) {
            let digits = event[..<place].reversed().prefix { isDigit($0) || $0 == UInt8(ascii: ",") }
            tell(nil, Int(String(decoding: digits.filter(isDigit).reversed(), as: UTF8.self)) ?? 0)
        } else if let place = find(link, in: event) {
            let digits = event[(place + link.count)...].prefix(while: isDigit)
            guard let transaction = Int64(String(decoding: digits, as: UTF8.self)) else { return }
            tell(transaction, 1)
        }
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (48...57).contains(byte) }

    private static func find(_ text: [UInt8], in bytes: UnsafeRawBufferPointer) -> Int? {
        guard bytes.count >= text.count else { return nil }
        return (0...bytes.count - text.count).first { start in
            bytes[start] == text[0] && bytes[start..<start + text.count].elementsEqual(text)
        }
    }
}
