import AppStoreFormats
import Foundation
import Hummingbird
import Logging
import NIOCore
import ServiceLifecycle
import Synchronization

/// A seller's server that keeps what comes, and answers as it is told.
final class SellersReceiver: Sendable {
    /// Returns true to accept the notification of a number, counted from 1.
    typealias Answer = @Sendable (_ number: Int) async -> Bool

    /// The accepted notifications; others were answered with an error, or not at all.
    let taken = Mutex<[String]>([])
    /// All received notifications.
    let payloads = Mutex<[String]>([])
    /// An element for each notification.
    let arrivals: AsyncStream<Void>
    private let arrival: AsyncStream<Void>.Continuation
    /// Values in a structure: a function in a generic place is wrapped once more each time it is taken out.
    private struct Behavior: Sendable {
        var answer: Answer = { _ in true }
    }
    private let behavior = Mutex(Behavior())

    init() { (arrivals, arrival) = AsyncStream.makeStream() }

    func answers(_ new: @escaping Answer) { behavior.withLock { $0.answer = new } }

    private var router: Router<BasicRequestContext> {
        let router = Router()
        router.post("hook") { [self] request, _ in
            let body = try await request.body.collect(upTo: 1 << 20)
            let posted = try JSONDecoder().decode(NotificationBody.self, from: Data(body.readableBytesView))
            let number = payloads.withLock {
                $0.append(posted.signedPayload)
                return $0.count
            }
            arrival.yield()
            let takes = await behavior.withLock { $0 }.answer(number)
            if takes { taken.withLock { $0.append(posted.signedPayload) } }
            return Response(status: takes ? .ok : .serviceUnavailable)
        }
        return router
    }

    /// Serves for as long as a body runs.
    func run(_ body: @escaping @Sendable (_ url: String) async throws -> Void) async throws {
        let (ports, port) = AsyncStream.makeStream(of: Int.self)
        let application = Application(
            router: router, configuration: .init(address: .hostname("127.0.0.1", port: 0)),
            onServerRunning: { port.yield($0.localAddress?.port ?? 0) },
            logger: Logger(label: "receiver") { _ in SwiftLogNoOpLogHandler() })
        let group = ServiceGroup(
            configuration: .init(
                services: [application], logger: Logger(label: "receiver") { _ in SwiftLogNoOpLogHandler() }))
        try await withThrowingTaskGroup(of: Void.self) { tasks in
            tasks.addTask { try await group.run() }
            var iterator = ports.makeAsyncIterator()
            let result: Result<Void, any Error>
            do {
                result = .success(try await body("http://127.0.0.1:\(await iterator.next() ?? 0)/hook"))
            } catch {
                result = .failure(error)
            }
            await group.triggerGracefulShutdown()
            try await tasks.waitForAll()
            try result.get()
        }
    }
}
