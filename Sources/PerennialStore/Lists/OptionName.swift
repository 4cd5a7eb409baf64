/// The names of values in options of the command line: lower case, with hyphens between words.
package enum OptionName {
    /// Returns the option's name for a name of the protocols: `failed-charge` for `failedCharge`, `unintended-purchase` for
    /// `UNINTENDED_PURCHASE`, `apple-tv` for `Apple TV`.
    package static func of(_ name: String) -> String {
        guard name != name.uppercased(), !name.contains(" ") else { return matched(name) }
        return matched(name.prefix(1) + name.dropFirst().map { $0.isUppercase ? "-\($0)" : "\($0)" }.joined())
    }

    /// Returns true if a user's text stands for an option's name: in any case, with other separators, or as the protocols have it.
    package static func isMeant(_ name: String, by text: String) -> Bool {
        matched(name) == matched(text) || name == of(text)
    }

    /// Returns a text in lower case, with hyphens for other separators.
    package static func matched(_ text: some StringProtocol) -> String {
        text.lowercased().replacing("_", with: "-").replacing(" ", with: "-")
    }
}
