import Foundation

/// Why a store did not do what a command asked.
struct StoreClientError: Error, Equatable, CustomStringConvertible {
    enum Code: String, Sendable, CaseIterable {
        /// Nobody listens there.
        case unreachable
        case timedOut
        /// The store's own error; the subject is its word.
        case refused
        /// Somebody answers who is no Perennial store, or one of another version.
        case notUnderstood
        /// A ready file that is not there, or is none.
        case notReady
    }

    let code: Code
    /// The URL, the file, or the store's word for the error.
    let subject: String
    /// For a person: what was wrong, and what would be right.
    let reason: String

    init(_ code: Code, _ subject: String, _ reason: String) {
        (self.code, self.subject, self.reason) = (code, subject, reason)
    }

    /// The error that an answer carries: `{"error": {"code", "message"}}`.
    init(status: Int, answer: [UInt8], from url: String) {
        if let body = try? JSONDecoder().decode(Body.self, from: Data(answer)) {
            self.init(.refused, body.error.code, body.error.message)
        } else {
            self.init(
                .notUnderstood, url, "the answer is HTTP \(status) and not what a Perennial store says")
        }
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
        default: "\(subject): \(reason)".oneLine
        }
    }

    /// For programs: as the store says its errors. What it has not said itself has the words of ``Code``.
    var json: String {
        let body = Body(
            error: code == .refused
                ? Body.Members(code: subject, message: reason)
                : Body.Members(code: code.rawValue, message: "\(subject): \(reason)"))
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return (try? encoder.encode(body)).map { String(decoding: $0, as: UTF8.self) } ?? "{}"
    }

    static func == (one: Self, other: Self) -> Bool { one.code == other.code }
}

extension String {
    /// Without line breaks and control characters, which a terminal would obey.
    var oneLine: String {
        String(
            String.UnicodeScalarView(
                unicodeScalars.map { $0.properties.generalCategory == .control ? " " : $0 }))
    }
}
