import ArgumentParser
import Foundation
import Perennial

/// `perennial status`: the store at a glance.
struct StatusCommand: StoreCommand {
    static let configuration = CommandConfiguration(
        "status", "Show a store at a glance: its environments, their clocks, and what waits.",
        "The exit code is 1 for a store that can't sell.", examples: ["status", "status --json"])

    @OptionGroup var store: OperatorOptions

    func report(from client: StoreClient) async throws -> Report {
        let production = client.at(.production)
        let ready = try await Self.readiness(production)
        let environments: StoreAnswer<Environments> = try await production.get("control/v1/environments?limit=50")
        var statuses: [Status] = []
        for environment in environments.value.environments {
            guard let name = EnvironmentName(argument: environment.name) else { continue }
            let answer: StoreAnswer<Status> = try await client.at(name).get("control/v1/status")
            statuses.append(answer.value)
        }
        let nodes: StoreAnswer<NodesCommand.Answer> = try await production.get("control/v1/nodes")
        let started = nodes.value.nodes.first(where: \.isAnswering)?.started
        let whole = Whole(
            version: Version.current, url: client.endpoint.url, ready: ready == nil, reason: ready,
            started: started, upSeconds: started.flatMap { Instant(rfc3339: $0) }.map(Self.seconds),
            nodes: nodes.value.nodes.count, environments: statuses)
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return Report(words: whole.words, json: Array(try encoder.encode(whole)), succeeded: ready == nil)
    }

    /// Asks whether the store can sell.
    ///
    /// - Returns: The reason why it can't; `nil` if it can.
    private static func readiness(_ client: StoreClient) async throws -> String? {
        do {
            let _: StoreAnswer<Ready> = try await client.get("ready")
            return nil
        } catch let error as StoreClientError where error.code == .refused {
            return error.reason
        }
    }

    /// Returns the time since a node's start, by this machine's clock.
    private static func seconds(since started: Instant) -> Int64 {
        max(0, WallClock.now() - started) / 1000
    }

    private struct Ready: Decodable { var status: String }

    private struct Environments: Decodable {
        struct Item: Decodable { var name: String }
        var environments: [Item]
    }

    private struct Whole: Encodable {
        var version: String
        var url: String
        var ready: Bool
        var reason: String?
        /// The start of the answering node.
        var started: String?
        var upSeconds: Int64?
        /// The nodes of the database.
        var nodes: Int
        var environments: [Status]

        /// `up 3 d 4 h`: the two largest units.
        private var uptime: String {
            guard let upSeconds, let started else { return "unknown" }
            // Each unit in seconds, with the number of them in the next larger one.
            let units: [(seconds: Int64, most: Int64, name: String)] = [
                (86_400, .max, "d"), (3600, 24, "h"), (60, 60, "min"), (1, 60, "s"),
            ]
            let counts = units.map { (count: upSeconds / $0.seconds % $0.most, name: $0.name) }
            let shown = counts.drop { $0.count == 0 }.prefix(2).map { "\($0.count) \($0.name)" }
            return (shown.isEmpty ? "0 s" : shown.joined(separator: " ")) + ", since \(started)"
        }

        var words: String {
            let head = TerminalTable([
                ("version", version), ("url", url), ("state", reason ?? "ready to sell"),
                ("up", uptime), ("nodes", "\(nodes)"),
            ]).text
            let rows = environments.map { status in
                [
                    status.environment, status.kind, "\(status.now) (\(status.clock))",
                    "\(status.apps.reduce(0) { $0 + $1.events })", status.waits,
                ]
            }
            return head + "\n\n" + TerminalTable(["ENVIRONMENT", "KIND", "CLOCK", "EVENTS", "WAITS"], rows).text
        }
    }

    private struct Status: Codable {
        struct App: Codable {
            var bundleId: String
            var events: Int64
            var rollUpLagEntries: Int64
            var rollUpLagSeconds: Double
            var failingNotifications: Int
        }

        var environment: String
        var kind: String
        var clock: String
        var now: String
        var dueRenewals: Int
        var quarantined: Int
        var apps: [App]

        /// The waiting work, in words; a figure of 1,000 may be higher.
        var waits: String {
            let failing = apps.reduce(0) { $0 + $1.failingNotifications }
            let lag = apps.reduce(0) { $0 + $1.rollUpLagEntries }
            let parts = [
                dueRenewals > 0 ? "\(dueRenewals) due renewals" : nil,
                quarantined > 0 ? "\(quarantined) subscriptions in quarantine" : nil,
                failing > 0 ? "\(failing) notifications failing" : nil,
                lag > 0 ? "\(lag) events not in reports yet" : nil,
            ].compactMap(\.self)
            return parts.isEmpty ? "nothing" : parts.joined(separator: ", ")
        }
    }
}
