import Foundation
import MonkeyCredits
import StoreKit

let usage = """
    monkey shop                    prices
    monkey buy PRODUCT [QUANTITY]  for example: monkey buy com.example.monkey.credits.100
    monkey balance
    monkey type WORDS              a credit a word
    monkey backup FILE             with the passphrase in MONKEY_PASSPHRASE
    monkey restore FILE
    """

func fail(_ text: some CustomStringConvertible) -> Never {
    FileHandle.standardError.write(Data("\(text)\n".utf8))
    exit(1)
}

do {
    let arguments = Array(CommandLine.arguments.dropFirst())
    let wallet = try Wallet()
    let shop = Shop(wallet: wallet)
    try await shop.deliverUnfinished()
    let passphrase = ProcessInfo.processInfo.environment["MONKEY_PASSPHRASE"] ?? ""
    switch (arguments.first, arguments.dropFirst().first) {
    case ("shop", _):
        for product in try await shop.products() {
            print("\(product.displayPrice)  \(product.id)  \(product.displayName): \(product.description)")
        }
    case ("buy", let id?):
        let quantity = arguments.count > 2 ? Int(arguments[2]) ?? 1 : 1
        print(try await shop.buy(id, quantity: quantity) ? "Bought. \(wallet.credits) credits." : "Cancelled.")
    case ("balance", _):
        print("\(wallet.credits) credits\(wallet.hasGoldenTypewriter ? ", and a golden typewriter" : "")")
    case ("type", let count?):
        var monkey = Monkey(wallet: wallet, seed: UInt64(Date().timeIntervalSince1970))
        print(try monkey.write(words: Int(count) ?? 1))
        print("\(wallet.credits) credits left.")
    case ("backup", let file?):
        try wallet.backup(passphrase: passphrase).write(to: URL(fileURLWithPath: file))
    case ("restore", let file?):
        try wallet.restore(Data(contentsOf: URL(fileURLWithPath: file)), passphrase: passphrase)
        print("\(wallet.credits) credits")
    default: fail(usage)
    }
} catch {
    fail("\(error)")
}
