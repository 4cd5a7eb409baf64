import ArgumentParser
import Dispatch
import Foundation
import Perennial
import PerennialSimulation

/// `perennial exercise`: drives a running store from several clients, and records what they asked and were told.
struct ExerciseCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        "exercise", "Drive a running store from several clients at once, and record every request and answer.",
        """
        Invented customers buy, send requests again, ask for refunds, finish transactions and change their cards, through all of
        the named nodes, in an environment of their own. Meanwhile the clock is moved, the journal is read and notifications are
        received. Requests without an answer are repeated with the same key. At the end everything is read. perennial check
        decides whether a store that keeps its rules can have given these answers. It exits with 1 if the end can't be read.

        With --kills it starts the nodes itself, kills them as a power cut would, in requests, between them and while they start, and
        starts them again.
        """,
        examples: [
            "exercise --history history.jsonl",
            "exercise --kills 10 --for 60 --catalog catalog.yaml --history history.jsonl",
            "exercise http://10.0.0.1:8080 http://10.0.0.2:8080 --token SECRET --for 60 --clients 16 --history history.jsonl",
        ])

    /// A limit of ours on the time for one request, in seconds.
    private static let timeoutsAllowed = 1...60_000
    /// A limit of ours: an hour.
    private static let settleAllowed = 1...3600

    @Argument(help: ArgumentHelp("The nodes' URLs; the store that runs here if omitted.", valueName: "url"))
    var urls: [String] = []

    @Option(
        name: .customLong("ready-file"),
        help: ArgumentHelp("The ready file of perennial serve, with URL and token.", valueName: "file"),
        completion: .file())
    var readyFile: String?

    @Option(help: ArgumentHelp("The control token, the same on all nodes.", valueName: "token"))
    var token: String?

    @Option(name: .customLong("app"), help: AppOption.help)
    var bundleID: String?

    @Option(
        help: ArgumentHelp(
            "The environment to make, which must not be there; Exercise-SEED if omitted.", valueName: "name"))
    var environment: String?

    @Option(
        help: ArgumentHelp(
            "The environment's clock: manual, which the exercise moves, or real, with a renewal every ten seconds.",
            valueName: "clock"))
    var clock = StoreEnvironment.Clock.manual

    @Option(help: ArgumentHelp("The seed of what the clients do; a random one if omitted.", valueName: "number"))
    var seed: UInt32?

    @Option(
        name: .customLong("for"), help: ArgumentHelp("How long clients send new requests.", valueName: "seconds"))
    var seconds = 30

    @Option(help: ArgumentHelp("How many customers act at once.", valueName: "number"))
    var clients = 8

    @Option(help: ArgumentHelp("The time limit for an answer.", valueName: "milliseconds"))
    var timeout = 5000

    @Option(
        help: ArgumentHelp("The limit for open requests and the last readings, after --for.", valueName: "seconds"))
    var settle = 60

    @Option(help: ArgumentHelp("The address at which notifications are received.", valueName: "host:port"))
    var receiver = "127.0.0.1:0"

    @Option(
        name: .customLong("receiver-url"),
        help: ArgumentHelp("The URL to which the nodes send them; that of --receiver if omitted.", valueName: "url"))
    var receiverURL: String?

    @Flag(help: "Receive no notifications.")
    var withoutNotifications = false

    @Option(help: ArgumentHelp("The file for the history.", valueName: "file"), completion: .file())
    var history: String

    @OptionGroup var own: ExercisedNodeOptions

    @Flag(help: "Print the result as JSON.")
    var json = false

    func validate() throws {
        for url in urls { try StoreEndpoint.check(url: url, "The URL of a node") }
        if let receiverURL { try StoreEndpoint.check(url: receiverURL, "--receiver-url") }
        try ValidationError.expect(seconds, in: ExercisePlan.secondsAllowed, "--for")
        try ValidationError.expect(clients, in: ExercisePlan.clientsAllowed, "--clients")
        try ValidationError.expect(timeout, in: Self.timeoutsAllowed, "--timeout")
        try ValidationError.expect(settle, in: Self.settleAllowed, "--settle")
        if own.kills != nil, !urls.isEmpty || token != nil || readyFile != nil {
            throw ValidationError("--kills is for nodes that the exercise starts: name no others.")
        }
        guard ExerciseReceiver.Address(receiver) != nil else {
            throw ValidationError("--receiver is an address and a port, such as 127.0.0.1:9000.")
        }
    }

    func run() async throws {
        let cleanup = Cleanup()
        defer { cleanup.clear() }
        let nodes = try await own.start(cleanup)
        let endpoints = try nodes?.endpoints ?? endpoints()
        let app = try await StoreClient.withClient(of: endpoints[0]) { try await $0.app(bundleID) }
        var plan = ExercisePlan(
            seed: UInt64(seed ?? UInt32.random(in: 0 ... .max)), app: app, environment: environment)
        plan.clients = clients
        plan.length = .seconds(seconds)
        plan.settleSeconds = settle
        plan.clock = clock
        let file = try HistoryFile(history)
        let time = ExerciseTime.real(started: WallClock.now().rfc3339(fraction: true))
        let recorder = HistoryRecorder(time, write: file.write)
        let control = ExerciseControl(plan, now: time.now)
        let signals = Self.stopOnSignals(control)
        defer { signals.forEach { $0.cancel() } }
        if !withoutNotifications, let address = ExerciseReceiver.Address(receiver) {
            let own = try await ExerciseReceiver.start(at: address, recorder, cleanup)
            plan.receiverURL = receiverURL ?? own
        }
        if !json {
            Terminal.out(
                "seed \(plan.seed): \(clients) clients for \(seconds) s in the environment \(plan.environment) of \(app)"
            )
        }
        let summary = try await Self.report(recorder, isQuiet: json) { [plan, own] in
            try await HTTPTransport.withTransport(to: endpoints, timeout: timeout) { transport in
                let gate = GatedTransport(transport, time: time)
                var exercise = Exercise(plan, over: gate, recorder, time: time, control: control)
                if let nodes, let kills = own.kills { exercise.kills = ExerciseKills(kills, of: nodes, behind: gate) }
                return try await exercise.run()
            }
        }
        Terminal.out(json ? try summary.json() : Self.words(summary, history))
        if !summary.isComplete { throw ExitCode.failure }
    }

    private func endpoints() throws -> [StoreEndpoint] {
        func search(_ url: String?) -> StoreSearch {
            StoreSearch(
                url: url, token: token, readyFile: readyFile, variables: ProcessInfo.processInfo.environment,
                running: { RuntimeFolder().runningStores() })
        }
        guard !urls.isEmpty else { return [try search(nil).endpoint(needsToken: true)] }
        return try urls.map { try search($0).endpoint(needsToken: true) }
    }

    /// Ends new requests at the first signal, and the process at the second.
    private static func stopOnSignals(_ control: ExerciseControl) -> [any DispatchSourceSignal] {
        [SIGINT, SIGTERM].map { number in
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler {
                control.stop()
                signal(number, SIG_DFL)
            }
            source.resume()
            return source
        }
    }

    /// Runs a body with its progress on standard error.
    private static func report<Value: Sendable>(
        _ recorder: HistoryRecorder, isQuiet: Bool, _ body: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        let bar = ProgressBar(isQuiet: isQuiet)
        let progress = Task {
            while !Task.isCancelled {
                let now = recorder.summary
                bar.say("\(now.operations) requests, \(now.sales) sales, \(now.unknown) without an answer")
                try? await Task.sleep(for: .milliseconds(200))
            }
        }
        defer {
            progress.cancel()
            bar.clear()
        }
        return try await body()
    }

    private static func words(_ summary: HistoryRecorder.Summary, _ history: String) -> String {
        let gap = Double(summary.longestGapMilliseconds) / 1000
        return """
            \(summary.operations) requests: \(summary.answered) answered, \(summary.refused) refused, \
            \(summary.unknown) without an answer; \(summary.customers) customers, \(summary.sales) sales acknowledged, \
            \(summary.renewals) renewals, \(summary.notifications) notifications, \(summary.kills) kills; longest time without a sale \(gap) s
            \(summary.isComplete ? "recorded: perennial check \(history)" : "the end couldn't be read; \(history) stays undecided")
            """
    }
}

extension HistoryRecorder.Summary: JSONResult {}

/// The file of a history.
private final class HistoryFile: Sendable {
    private let handle: FileHandle

    /// - Throws: ``CommandError`` if the file can't be made.
    init(_ path: String) throws {
        guard FileManager.default.createFile(atPath: path, contents: nil),
            let handle = FileHandle(forWritingAtPath: path)
        else { throw CommandError("\(path) can't be written") }
        self.handle = handle
    }

    @Sendable func write(_ line: Data) throws { try handle.write(contentsOf: line) }
}

extension ExerciseTime {
    /// Time as it passes from now on.
    ///
    /// - Parameters:
    ///   - started: The start in RFC 3339.
    ///   - pace: The microseconds that a millisecond of a pause takes: 1000, or fewer to press more requests into a time.
    static func real(started: String, pace: Int = 1_000) -> ExerciseTime {
        let start = ContinuousClock.now
        return ExerciseTime(
            started: started,
            now: {
                let (seconds, attoseconds) = (ContinuousClock.now - start).components
                return seconds * 1_000_000 + attoseconds / 1_000_000_000_000
            },
            pause: { try? await Task.sleep(for: .microseconds($0 * pace)) })
    }
}
