/// A monkey at a typewriter: a credit a word.
public struct Monkey: Sendable {
    private static let words = [
        "banana", "to be", "or not", "ook", "shall I", "compare thee", "to a", "summer's", "typo", "ink", "moon",
        "tree",
        "perchance", "ribbon", "alas", "quill", "thou", "ape", "sonnet", "and so",
    ]

    private let wallet: Wallet
    private var state: UInt64

    /// - Parameter seed: The same seed writes the same poem.
    public init(wallet: Wallet, seed: UInt64) {
        self.wallet = wallet
        self.state = seed
    }

    /// Writes words for as many credits. The golden typewriter has capital letters.
    ///
    /// - Throws: `PurchaseVaultError` with too few credits; nothing is written or spent then.
    public mutating func write(words count: Int) throws -> String {
        try wallet.spend(count)
        let text = (0..<count).map { _ in Self.words[nextIndex()] }.joined(separator: " ")
        return wallet.hasGoldenTypewriter ? text.uppercased() : text
    }

    private mutating func nextIndex() -> Int {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return Int(state >> 33) % Self.words.count
    }
}
