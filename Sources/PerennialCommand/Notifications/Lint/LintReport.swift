import Foundation
import Perennial
import PerennialSimulation

/// The result of a lint of a receiver.
struct LintReport: Encodable {
    struct Delivery: Encodable {
        var notification: String
        /// The date of signing; `nil` in version 1.
        var signedDate: String?
    }

    struct Failure: Encodable {
        var life: String
        var order: String
        var delivered: [Delivery]
        var expected: String?
        var found: String?
        var problem: String
    }

    var played: Int
    var seed: UInt64
    var statusChecked: Bool
    /// The first.
    var failure: Failure?
    /// One of each life that failed; one in all where it didn't keep going.
    var failures: [Failure]

    init(_ outcome: ReceiverLint.Outcome, seed: UInt64, checksStatus: Bool) {
        played = outcome.played
        self.seed = seed
        statusChecked = checksStatus
        failures = outcome.failures.map(Failure.init)
        failure = failures.first
    }

    var json: String {
        get throws {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
            return String(decoding: try encoder.encode(self), as: UTF8.self)
        }
    }

    var words: String {
        let sequences = "\(played) sequence\(played == 1 ? "" : "s")"
        guard !failures.isEmpty else {
            let checked =
                statusChecked
                ? "after each the server knew what was true"
                : "all were taken; with --status-url it is also asked what it believes"
            return "\(sequences) played: \(checked)"
        }
        return (failures.flatMap(\.lines) + ["\(sequences) played, seed \(seed)"]).joined(separator: "\n")
    }
}

extension LintReport.Failure {
    fileprivate var lines: [String] {
        let delivered = delivered.enumerated().map { number, delivery in
            "  \(number + 1). \(delivery.notification)" + (delivery.signedDate.map { ", signed \($0)" } ?? "")
        }
        return ["A subscription that \(life), \(order): \(problem)", "Shortest sequence:"] + delivered
    }
}

extension LintReport.Failure {
    init(_ failure: ReceiverLint.Failure) {
        life = failure.scenario.name
        order = failure.order.name
        delivered = failure.delivered.map {
            LintReport.Delivery(
                notification: $0.name, signedDate: $0.isSigned ? $0.signed.rfc3339(fraction: true) : nil)
        }
        switch failure.problem {
        case .wrongState(let expected, let found):
            self.expected = expected.words
            self.found = found.words
            problem = "it should have ended as \(expected.words); the server says \(found.words)"
        case .refused(let notification, let reason):
            problem = "notification \(notification) was not taken: \(reason)"
        case .refusedReceipt(let reason):
            problem = "the receipt that the app sends first was not taken: \(reason)"
        case .noStatus(let reason):
            problem = reason
        }
    }
}
