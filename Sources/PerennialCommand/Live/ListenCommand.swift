import ArgumentParser
import Foundation
import NIOCore
import PerennialStore
import Synchronization
import UnixSignals

/// `perennial listen`: follows a store live.
struct ListenCommand: StoreCommand {
    static let configuration = CommandConfiguration(
        "listen", "Follow purchases, requests and notifications as they happen.",
        """
        Prints a line for each event: purchases, renewals and refunds of all servers of the store; requests to this server, \
        refused ones with the reason and what to do; notifications with the receiver's answer. Ends with ^C. At most \
        \(LiveWatcher.rowsPerSecond) lines a second; --json prints every event of commerce, each as one line of JSON.
        """,
        examples: [
            "listen", "listen --kind refusal --kind failed-notification",
            "listen --account ann --after 0 --no-follow --environment staging",
        ])

    @Option(
        name: .customLong("app"),
        help: ArgumentHelp("Only the events of the app with this bundle ID.", valueName: "bundle-id"))
    var bundleID: String?

    @Option(help: ArgumentHelp("Only this customer's events.", valueName: "name"))
    var account: String?

    @Option(
        name: .customLong("kind"),
        help: ArgumentHelp(
            "Only events of this kind: \(ListenKind.allValueStrings.joined(separator: ", ")). May be repeated.",
            valueName: "kind"))
    var kinds: [ListenKind] = []

    @Option(
        help: ArgumentHelp(
            "Begin after this position of the journal; now if omitted. 0 is the beginning.", valueName: "position"))
    var after: String?

    @Flag(inversion: .prefixedNo, help: "Wait for further events.")
    var follow = true

    @OptionGroup var store: StoreOptions

    var names: StoreNames { StoreNames(app: bundleID) }

    func validate() throws {
        if let after, after != "now", LivePosition(after) == nil {
            throw ValidationError("--after is a position of the journal, such as 534")
        }
    }

    func report(from client: StoreClient) async throws -> Report {
        let printer = EventPrinter(asJSON: store.server.json, Terminal.output) {
            FileHandle.standardOutput.write(Data($0.utf8))
        }
        let path = path
        try await Self.untilInterrupted {
            try await client.stream(path, timeout: Self.longest) { try printer.read($0) }
            if follow { Terminal.error("the store has ended the connection: it stops") }
        }
        return Report(words: "")
    }

    /// Longer than a terminal is open.
    private static let longest = TimeAmount.hours(24 * 366)

    var path: String {
        var query: [(String, String)] = []
        if let after { query.append(("from", after)) }
        if let bundleID { query.append(("app", bundleID)) }
        if let account { query.append(("account", account)) }
        if !kinds.isEmpty { query.append(("kinds", kinds.map(\.kind.rawValue).joined(separator: ","))) }
        if store.server.json { query.append(("complete", "true")) }
        if !follow { query.append(("follow", "false")) }
        let fields = query.map { "\($0.0)=\($0.1.percentEncoded)" }
        return "control/v1/live" + (fields.isEmpty ? "" : "?" + fields.joined(separator: "&"))
    }

    /// Runs work that ends with ^C as if it were done.
    private static func untilInterrupted(_ work: @escaping @Sendable () async throws -> Void) async throws {
        let signals = await UnixSignalsSequence(trapping: .sigint, .sigterm)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await work() }
            group.addTask { for await _ in signals { break } }
            try await group.next()
            group.cancelAll()
        }
    }
}

/// A kind of live events as an argument.
struct ListenKind: ExpressibleByArgument, Sendable, Equatable {
    let kind: LiveKind

    init?(argument: String) {
        guard let kind = LiveKind.selectable.first(where: { OptionName.isMeant($0.optionName, by: argument) }) else {
            return nil
        }
        self.kind = kind
    }

    static var allValueStrings: [String] { LiveKind.selectable.map(\.optionName) }
}

/// Prints the data of server-sent events, as they are or in words.
final class EventPrinter: Sendable {
    private let asJSON: Bool
    private let stream: Terminal.OutputStream
    private let write: @Sendable (String) -> Void
    /// The bytes of a line that hasn't ended.
    private let rest = Mutex<[UInt8]>([])

    init(asJSON: Bool, _ stream: Terminal.OutputStream, _ write: @escaping @Sendable (String) -> Void) {
        (self.asJSON, self.stream, self.write) = (asJSON, stream, write)
    }

    /// Reads a part of the answer, and prints the events that are complete.
    ///
    /// - Throws: `DecodingError`.
    func read(_ part: ByteBuffer) throws {
        let text = try rest.withLock { rest -> String in
            rest += part.readableBytesView
            guard let end = rest.lastIndex(of: UInt8(ascii: "\n")) else { return "" }
            let lines = rest[..<end].split(separator: UInt8(ascii: "\n"))
            rest.removeFirst(end + 1)
            return try lines.map(line).joined()
        }
        if !text.isEmpty { write(text) }
    }

    /// Returns what is printed for a line; nothing for one that has no data.
    private func line(_ bytes: ArraySlice<UInt8>) throws -> String {
        let mark = Array("data: ".utf8)
        guard bytes.starts(with: mark) else { return "" }
        let data = bytes.dropFirst(mark.count)
        guard !asJSON else { return String(decoding: data, as: UTF8.self) + "\n" }
        return try JSONDecoder().decode(ListenedEvent.self, from: Data(data)).line(stream) + "\n"
    }
}
