/// Removes secrets from texts that are shown to watchers and logged.
package enum LiveRedaction {
    /// The mark in place of a secret.
    package static let mark = "…"
    /// The length of a shared secret: no word of a message that means anything is so long, but UUIDs.
    private static let secretLength = 32
    private static let maximumLength = 400

    /// Returns a text without tokens, secrets and signed data: words of 32 and more letters, digits, `-` and `_`, other than
    /// UUIDs. Control characters become spaces, and a long text ends early.
    package static func text(_ text: String) -> String {
        var redacted = ""
        var word = ""
        var count = 0
        func finishWord() {
            redacted += isSecret(word) ? mark : word
            word = ""
        }
        for scalar in text.unicodeScalars {
            count += 1
            guard count <= maximumLength else {
                // The possible beginning of a secret is left out, too.
                word = mark
                break
            }
            if isWord(scalar) {
                word.unicodeScalars.append(scalar)
            } else {
                finishWord()
                redacted.unicodeScalars.append(scalar.value < 0x20 || scalar.value == 0x7F ? " " : scalar)
            }
        }
        finishWord()
        return redacted
    }

    private static func isWord(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "a"..."z", "A"..."Z", "0"..."9", "-", "_", "+", "=": true
        default: false
        }
    }

    private static func isSecret(_ word: String) -> Bool {
        guard word.utf8.count >= secretLength else { return word.hasPrefix("eyJ") && word.utf8.count >= 8 }
        let parts = word.split(separator: "-", omittingEmptySubsequences: false).map(\.utf8.count)
        return parts != [8, 4, 4, 4, 12]
    }
}
