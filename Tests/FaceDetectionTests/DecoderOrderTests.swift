import FaceDetection
import Testing

struct DecoderOrderTests {
    @Test("An order says in one number what is to be made")
    func number() {
        var orders = [160, 960, 8192, 1 << 27].flatMap { size in
            [
                DecoderOrder(workingSize: size), DecoderOrder(workingSize: size, isShown: true),
                DecoderOrder(workingSize: size, isInRows: true),
                DecoderOrder(workingSize: size, isShown: true, isForCopy: true),
            ]
        }
        for size in [1, 960, 8192, (1 << 18) - 1] {
            orders += [1, 400, 4095].map { DecoderOrder(workingSize: size, shownSide: $0) }
        }
        for order in orders { #expect(DecoderOrder(number: order.number) == order) }
        #expect(Set(orders.map(\.number)).count == orders.count)
        #expect(DecoderOrder(workingSize: 960, shownSide: 400).shownSide == 400)
    }

    @Test("A second picture of a size that no thumbnail has isn't ordered")
    func sizes() {
        for (size, side) in [(960, nil), (960, 0), (960, 4096), (1 << 18, 400)] {
            let order = DecoderOrder(workingSize: size, shownSide: side)
            #expect(order == DecoderOrder(workingSize: size, isShown: false))
        }
    }
}
