import Foundation

/// Why a store did not do what a command asked.
struct StoreClientError: Error, Equatable, CustomStringConvertible {
    enum Code: String, Sendable, CaseIterable {
        /// The connection is refused.
        case unreachable
        case timedOut
        /// The store answered with an error; the subject is its code.
        case refused
        /// The answer is not one of this version of Perennial.
        case notUnderstood
        /// The ready file is missing or malformed.
        case notReady
        /// A store is neither named nor running.
        case noStore
        /// Several stores run, or the store has several apps.
        case ambiguous
    }

    let code: Code
    /// The URL, the file, or the code of the store's error.
    let subject: String
    /// The reason for a person: what was wrong, and what would be right.
    let reason: String

    init(_ code: Code, _ subject: String, _ reason: String) {
        (self.code, self.subject, self.reason) = (code, subject, reason)
    }

    /// Reads the error that an answer carries: `{"error": {"code", "message"}}`.
    init(status: Int, answer: [UInt8], from url: String) {
        if let body = try? JSONDecoder().decode(Body.self, from: Data(answer)) {
            self.init(.refused, body.error.code, body.error.message)
        } else {
            self.init(
                .notUnderstood, url, "the answer is HTTP \(status) and not what a Perennial store says")
        }
    }

    /// The same error with names that are likely meant.
    func suggesting(_ names: [String]) -> StoreClientError {
        guard !names.isEmpty else { return self }
        let sentence = reason.hasSuffix(".") ? reason.dropLast() : reason[...]
        return StoreClientError(code, subject, "\(sentence); did you mean \(names.joined(separator: " or "))?")
    }

    private struct Body: Codable {
        struct Members: Codable {
            var code: String
            var message: String
        }

        var error: Members
    }

    /// One line.
    var description: String {
        switch code {
        case .refused: "\(reason) (\(subject))".oneLine
        case .noStore, .ambiguous: reason.oneLine
        default: "\(subject): \(reason)".oneLine
        }
    }

    /// The error for programs, in the form of the store's errors. An error of the client has the name of its ``Code``.
    var json: String {
        let body = Body(
            error: code == .refused
                ? Body.Members(code: subject, message: reason)
                : Body.Members(code: code.rawValue, message: description))
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return (try? encoder.encode(body)).map { String(decoding: $0, as: UTF8.self) } ?? "{}"
    }

    static func == (one: Self, other: Self) -> Bool { one.code == other.code }
}
