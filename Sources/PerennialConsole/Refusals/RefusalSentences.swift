/// The sentences in which use cases say their reasons, with their translations. `%1` to `%9` stand for the values in them.
///
/// The English text is the key, as in a catalog of gettext. `RefusalTests` reads the sentences from the sources of the use
/// cases and finds those that are missing here.
enum RefusalSentences {
    static let all =
        catalog + prices + offers + review + team + environments + purchases + renewals + money + differences
        + live

    /// Returns a sentence in the visitor's language, its values in their places; `nil` for an unknown sentence.
    static func text(of sentence: String) -> Text? { text(of: sentence, depth: 0) }

    /// A value may be a sentence itself, such as a rule.
    private static let maximumDepth = 2
    /// Longer texts aren't looked up.
    private static let maximumLength = 2_000

    private static func text(of sentence: String, depth: Int) -> Text? {
        guard sentence.utf8.count <= maximumLength else { return nil }
        // The one with the most words of its own: "1 to %1 codes at once" before "1 to %1".
        var best: (phrase: Phrase, values: [Substring], length: Int)?
        for pattern in patterns where pattern.length > best?.length ?? -1 {
            if let values = pattern.values(in: sentence) { best = (pattern.phrase, values, pattern.length) }
        }
        guard let best else { return nil }
        return .phrase(best.phrase, best.values.map { value(String($0), depth: depth + 1) })
    }

    private static func value(_ text: String, depth: Int) -> Text {
        if let word = RefusalValues.phrase(text) { return .phrase(word) }
        if depth <= maximumDepth, text.contains(" "), let sentence = self.text(of: text, depth: depth) {
            return sentence
        }
        return .data(text)
    }

    private static let patterns = all.map(Pattern.init)

    /// A sentence with places for values.
    private struct Pattern: Sendable {
        let phrase: Phrase
        /// The words before the first place, between places and after the last one.
        private let words: [Substring]
        /// The length in characters, without the places.
        let length: Int

        init(_ phrase: Phrase) {
            self.phrase = phrase
            // Places stand in the order of their numbers in English: `RefusalTests`.
            let words = phrase.english.split(separator: /%[1-9]/, omittingEmptySubsequences: false)
            self.words = words
            length = words.reduce(0) { $0 + $1.count }
        }

        /// Returns the values of the places; `nil` for another sentence.
        func values(in sentence: String) -> [Substring]? {
            guard let first = words.first, let last = words.last else { return nil }
            guard words.count > 1 else { return sentence == first ? [] : nil }
            guard sentence.hasPrefix(first), sentence.hasSuffix(last),
                sentence.count >= first.count + last.count
            else { return nil }
            var rest = sentence.dropFirst(first.count).dropLast(last.count)
            var values: [Substring] = []
            for word in words.dropFirst().dropLast() {
                guard let found = rest.firstRange(of: word) else { return nil }
                values.append(rest[..<found.lowerBound])
                rest = rest[found.upperBound...]
            }
            return values + [rest]
        }
    }
}
