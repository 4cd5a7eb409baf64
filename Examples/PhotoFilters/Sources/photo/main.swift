import Foundation
import PhotoFilters
import Pictures
import StoreKit

let usage = """
    photo shop                     filters for sale
    photo buy PRODUCT              for example: photo buy com.example.photomag.filter.silver
    photo restore                  downloads all filters that were bought
    photo filters                  filters on this device
    photo apply NAME IN.png OUT.png
    photo landscape OUT.png        draws a picture for trying out filters
    """

func fail(_ text: some CustomStringConvertible) -> Never {
    FileHandle.standardError.write(Data("\(text)\n".utf8))
    exit(1)
}

func write(_ picture: Picture, to path: String) throws {
    try Data(picture.png()).write(to: URL(fileURLWithPath: path))
}

func openLibrary() throws -> FilterLibrary {
    let environment = ProcessInfo.processInfo.environment
    guard let connection = StoreConnection.current else { throw FilterError.noStore }
    let address = environment["PHOTO_CONTENT_SERVER"] ?? "http://127.0.0.1:8080"
    guard let url = URL(string: address) else { fail("PHOTO_CONTENT_SERVER isn't a URL") }
    let folder = connection.storageFolder.appendingPathComponent("filters").appendingPathComponent(connection.account)
    return try FilterLibrary(
        server: DeliveryClient(baseURL: url, bundleID: connection.bundleID, storageFolder: folder), folder: folder)
}

do {
    let arguments = Array(CommandLine.arguments.dropFirst())
    switch (arguments.first, arguments.count) {
    case ("landscape", 2):
        try write(.landscape(), to: arguments[1])
    case ("shop", 1):
        for product in try await Product.products(for: FilterLibrary.products) {
            print("\(product.displayPrice)  \(product.id)  \(product.displayName): \(product.description)")
        }
    case ("buy", 2):
        let library = try openLibrary()
        let progress = Task {
            for await items in library.updates {
                for item in items where item.state == .downloading {
                    print("\(item.id): \(Int(item.progress * 100)) %")
                }
            }
        }
        let filter = try await library.buy(arguments[1])
        progress.cancel()
        print(filter.map { "\($0.name) is here." } ?? "Cancelled.")
    case ("restore", 1):
        let library = try openLibrary()
        try await library.restore()
        print(await library.filters.values.map(\.name).sorted().joined(separator: "\n"))
    case ("filters", 1):
        print(try await openLibrary().filters.values.map(\.name).sorted().joined(separator: "\n"))
    case ("apply", 4):
        let name = arguments[1]
        let filters = try await openLibrary().filters.values
        guard let filter = filters.first(where: { $0.name.lowercased() == name.lowercased() }) else {
            throw FilterError.notBought(name)
        }
        let picture = try Picture(png: Array(Data(contentsOf: URL(fileURLWithPath: arguments[2]))))
        try write(filter.apply(to: picture), to: arguments[3])
    default: fail(usage)
    }
} catch {
    fail("\(error)")
}
