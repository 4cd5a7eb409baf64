import Foundation
import NIOCore
import NIOPosix

/// Clients that send prebuilt requests over kept connections, each its next one when it has the answer to the last.
///
/// Nothing is retried and nothing but 200 and 201 is accepted: a benchmark that meets an error fails.
struct LoadGenerator: Sendable {
    /// The result of a run.
    struct Result: Sendable {
        let seconds: Double
        /// The CPU time of the process, clients included, on all cores.
        let cpuSeconds: Double
        /// Each answer's, in seconds.
        let latencies: [Double]
        /// The time of the last answer.
        let bodyBytes: Int

        var rate: Double { Double(latencies.count) / seconds }
        var details: String {
            func milliseconds(_ part: Double) -> String { String(format: "%.1f", latencies.percentile(part) * 1000) }
            let cpu = String(format: "%.0f", cpuSeconds / Double(latencies.count) * 1e6)
            return "p50 \(milliseconds(0.5)) ms, p99 \(milliseconds(0.99)) ms, \(cpu) µs of CPU with the client's part"
        }
    }

    /// The servers' ports on this machine, among which clients are shared out.
    let ports: [Int]

    init(port: Int) { ports = [port] }
    init(ports: [Int]) { self.ports = ports }

    /// Sends each client's requests over a connection of its own.
    ///
    /// - Parameter seconds: When clients stop sending, although they have more requests.
    func run(_ requests: [[ByteBuffer]], for seconds: Double? = nil) async throws -> Result {
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        do {
            let result = try await run(requests, for: seconds, on: group)
            try await group.shutdownGracefully()
            return result
        } catch {
            try await group.shutdownGracefully()
            throw error
        }
    }

    private func run(
        _ requests: [[ByteBuffer]], for seconds: Double?, on group: MultiThreadedEventLoopGroup
    ) async throws -> Result {
        var clients: [(channel: any Channel, report: EventLoopFuture<LoadClient.Report>)] = []
        for (number, requests) in requests.enumerated() {
            let report = group.next().makePromise(of: LoadClient.Report.self)
            let channel = try await ClientBootstrap(group: group)
                .channelOption(.socketOption(.tcp_nodelay), value: 1)
                .channelInitializer { channel in
                    channel.eventLoop.makeCompletedFuture {
                        try channel.pipeline.syncOperations.addHandler(LoadClient(requests, for: seconds, report))
                    }
                }
                .connect(host: "127.0.0.1", port: ports[number % ports.count]).get()
            clients.append((channel, report.futureResult))
        }
        let (start, cpuStart) = (ContinuousClock.now, Stopwatch.cpuSeconds)
        for client in clients { client.channel.triggerUserOutboundEvent(LoadClient.Start(), promise: nil) }
        var latencies: [Double] = []
        var bodyBytes = 0
        for client in clients {
            let report = try await client.report.get()
            latencies += report.latencies
            bodyBytes = report.bodyBytes
        }
        let seconds = start.duration(to: .now) / .seconds(1)
        let cpuSeconds = Stopwatch.cpuSeconds - cpuStart
        for client in clients { try? await client.channel.close().get() }
        return Result(seconds: seconds, cpuSeconds: cpuSeconds, latencies: latencies, bodyBytes: bodyBytes)
    }
}

/// One client's connection.
private final class LoadClient: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    /// Sends the first request.
    struct Start: Sendable {}

    struct Report: Sendable {
        var latencies: [Double] = []
        var bodyBytes = 0
    }

    private let requests: [ByteBuffer]
    private let limit: TimeAmount?
    private var end: NIODeadline?
    private let promise: EventLoopPromise<Report>
    private var reader = HTTPAnswerReader()
    private var report = Report()
    private var sent = NIODeadline.now()

    init(_ requests: [ByteBuffer], for seconds: Double?, _ promise: EventLoopPromise<Report>) {
        self.requests = requests
        limit = seconds.map { .nanoseconds(Int64($0 * 1e9)) }
        self.promise = promise
    }

    func triggerUserOutboundEvent(context: ChannelHandlerContext, event: Any, promise: EventLoopPromise<Void>?) {
        end = limit.map { .now() + $0 }
        send(context)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let arrived = unwrapInboundIn(data)
        do {
            guard let answer = try reader.read(arrived) else { return }
            guard [200, 201].contains(answer.status) else {
                throw BenchmarkError("status \(answer.status): \(String(buffer: arrived).suffix(500))")
            }
            report.latencies.append(Double((NIODeadline.now() - sent).nanoseconds) / 1e9)
            report.bodyBytes = answer.bodyBytes
            send(context)
        } catch {
            promise.fail(error)
            context.close(promise: nil)
        }
    }

    func channelInactive(context: ChannelHandlerContext) {
        // Without effect where all answers have come.
        promise.fail(BenchmarkError("the server closed the connection"))
    }

    private func send(_ context: ChannelHandlerContext) {
        sent = .now()
        let isOver = end.map { sent >= $0 } ?? false
        guard report.latencies.count < requests.count, !isOver else { return promise.succeed(report) }
        context.writeAndFlush(wrapOutboundOut(requests[report.latencies.count]), promise: nil)
    }
}
