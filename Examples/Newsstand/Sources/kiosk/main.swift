import Foundation
import Newsstand
import StoreKit

let usage = """
    kiosk offers              subscriptions for sale
    kiosk subscribe PRODUCT   for example: kiosk subscribe com.example.photomag.magazine.monthly
    kiosk status
    kiosk shelf               the issues
    kiosk read ISSUE          for example: kiosk read issue-2026-03
    kiosk download            all issues
    kiosk restore             on a new device
    """

func fail(_ text: some CustomStringConvertible) -> Never {
    FileHandle.standardError.write(Data("\(text)\n".utf8))
    exit(1)
}

func openShelf() throws -> Shelf {
    guard let connection = StoreConnection.current else { throw NewsstandError.noStore }
    let address = ProcessInfo.processInfo.environment["KIOSK_CONTENT_SERVER"] ?? "http://127.0.0.1:8080"
    guard let url = URL(string: address) else { fail("KIOSK_CONTENT_SERVER isn't a URL") }
    let folder = connection.storageFolder.appendingPathComponent("issues").appendingPathComponent(connection.account)
    return try Shelf(
        server: DeliveryClient(baseURL: url, bundleID: connection.bundleID, storageFolder: folder), folder: folder)
}

func show(_ items: [ContentItem]) {
    for item in items {
        let state =
            switch item.state {
            case .downloaded: "here"
            case .downloading: "\(Int(item.progress * 100)) %"
            case .available: "on the shelf"
            case .waiting, .paused: "waiting"
            case .failed: "failed: \(item.error?.reason ?? "")"
            }
        print("\(item.id)  \(item.content.filename ?? "")  \(state)")
    }
}

func describe(_ state: Subscription.State) -> String {
    switch state {
    case .none: "no subscription"
    case .active(let product, let until, let next):
        "\(product) until \(until.formatted(.iso8601))" + (next.map { ", then \($0)" } ?? ", not renewed")
    case .paymentFailed(let product, let hasGracePeriod):
        "\(product): the payment failed\(hasGracePeriod ? ", and new issues arrive all the same" : "")"
    case .expired(let product): "\(product) has ended"
    case .refunded(let product): "\(product) was refunded"
    }
}

do {
    let arguments = Array(CommandLine.arguments.dropFirst())
    switch (arguments.first, arguments.dropFirst().first) {
    case ("offers", _):
        for product in try await Subscription.offers() {
            let trial = product.subscription?.introductoryOffer.map { ", first \($0.displayPrice)" } ?? ""
            print("\(product.displayPrice)\(trial)  \(product.id)  \(product.displayName)")
        }
    case ("subscribe", let id?):
        guard try await Subscription.subscribe(to: id) else { fail("Not bought.") }
        print(describe(try await Subscription.state()))
    case ("status", _): print(describe(try await Subscription.state()))
    case ("shelf", _):
        let shelf = try openShelf()
        do {
            try await shelf.refresh()
        } catch let error as DeliveryError {
            print("The publisher can't be reached (\(error.reason)). The shelf as it was:")
        }
        show(await shelf.issues)
    case ("read", let id?):
        let shelf = try openShelf()
        if await shelf.issues.isEmpty { try await shelf.refresh() }
        print(try String(contentsOf: try await shelf.open(id), encoding: .utf8))
    case ("download", _):
        let shelf = try openShelf()
        try await shelf.refresh()
        await withTaskGroup(of: Void.self) { group in
            for issue in await shelf.issues { group.addTask { _ = try? await shelf.open(issue.id) } }
        }
        show(await shelf.issues)
    case ("restore", _):
        let shelf = try openShelf()
        try await shelf.restore()
        show(await shelf.issues)
    default: fail(usage)
    }
} catch {
    fail("\(error)")
}
