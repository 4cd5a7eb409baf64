/// The reason that a figure isn't explained.
package struct ExplainError: Error, Equatable, CustomStringConvertible {
    package enum Code: String, Sendable, CaseIterable {
        case malformed
        /// A figure that no report has. The reason says which figures there are.
        case figureNotFound
    }

    package let code: Code
    /// The parameter, or the figure.
    package let subject: String
    package let reason: String

    package init(_ code: Code, _ subject: String, _ reason: String) {
        self.code = code
        self.subject = subject
        self.reason = reason
    }

    package var description: String { "\(code.rawValue): \(subject): \(reason)" }
    package static func == (one: Self, other: Self) -> Bool { one.code == other.code }

    /// Creates the error of a figure that doesn't exist.
    ///
    /// - Parameter there: The kinds of values that exist, each with its values.
    static func notFound(_ figure: String, there: [(String, Set<String>)]) -> ExplainError {
        let known = there.filter { !$0.1.isEmpty }.map { name, values in
            let listed = values.sorted().prefix(20).joined(separator: ", ")
            return "\(name) \(listed)\(values.count > 20 ? " and \(values.count - 20) more" : "")"
        }
        return ExplainError(
            .figureNotFound, figure,
            known.isEmpty ? "there are no such rows in any report" : "there are \(known.joined(separator: "; "))")
    }
}
