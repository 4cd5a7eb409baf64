import Testing

@testable import OpenStoreKit

@Suite("Lists whose copies share parts")
struct SharedListTests {
    @Test("A copy stays as it is while the original changes", arguments: [0, 1, 63, 64, 65, 128, 200])
    func copies(count: Int) {
        var list = SharedList<Int>()
        var plain: [Int] = []
        for number in 0..<count {
            list.append(number)
            plain.append(number)
        }
        let (copy, before) = (list, plain)
        list.append(-1)
        plain.append(-1)
        for position in stride(from: 0, to: plain.count, by: 7) {
            list[position] += 1000
            plain[position] += 1000
        }
        list.insert(-2, at: count / 2)
        plain.insert(-2, at: count / 2)
        list.removeAll { $0 % 3 == 0 }
        plain.removeAll { $0 % 3 == 0 }
        #expect(Array(list) == plain)
        #expect(Array(list.reversed()) == plain.reversed())
        #expect(list.count == plain.count)
        #expect(Array(copy) == before)
    }

    @Test("Positions are those of a dictionary, in each copy")
    func positions() {
        var index = PositionIndex()
        index.set((0..<300).map { (UInt64($0), $0) }, reserving: 300)
        var plain = Dictionary(uniqueKeysWithValues: (0..<300).map { (UInt64($0), $0) })
        var copies: [(PositionIndex, [UInt64: Int])] = []
        for number in 0..<500 {
            let id = UInt64(number * 13 % 700)
            index.set(number, of: id)
            plain[id] = number
            if number % 97 == 0 { copies.append((index, plain)) }
        }
        copies.append((index, plain))
        for (copy, expected) in copies {
            #expect((0..<700).allSatisfy { copy[$0] == expected[$0] })
            #expect(copy.count == expected.count)
        }
    }
}
