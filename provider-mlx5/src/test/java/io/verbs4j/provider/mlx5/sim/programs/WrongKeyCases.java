/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.mlx5.sim.programs;

import io.verbs4j.AccessFlags;
import io.verbs4j.MemoryRegion;
import io.verbs4j.RecvWorkRequest;
import io.verbs4j.ScatterGatherElement;
import io.verbs4j.SendFlags;
import io.verbs4j.SendWorkRequest;
import io.verbs4j.WcStatus;
import io.verbs4j.WrOpcode;
import io.verbs4j.rdmacore.sim.Check;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.function.Function;

/** Scenarios of {@link FaultsProgram}: wrong keys and bounds, on either side. */
final class WrongKeyCases {
    private static final int ABOVE = 1 << 20;

    private WrongKeyCases() {}

    static Map<String, FaultsProgram.Scenario> scenarios() {
        return Map.of(
                "key of the send",
                        bed -> local(
                                bed,
                                new ScatterGatherElement()
                                        .addr(bed.rig.mr.addr())
                                        .length(FaultRig.LENGTH)
                                        .lkey(0x7777)),
                "bounds of the send",
                        bed -> local(
                                bed,
                                new ScatterGatherElement()
                                        .addr(bed.rig.mr.addr() + ABOVE)
                                        .length(FaultRig.LENGTH)
                                        .lkey(bed.rig.mr.lkey())),
                "remote key", bed -> remote(bed, wr -> wr.rkey(0x7777), WrOpcode.RDMA_WRITE),
                "remote key of a read", bed -> remote(bed, wr -> wr.rkey(0x7777), WrOpcode.RDMA_READ),
                "remote bounds",
                        bed -> remote(bed, wr -> wr.remoteAddr(bed.rig.mr.addr() + ABOVE), WrOpcode.RDMA_WRITE),
                "remote rights", WrongKeyCases::noRight,
                "atomic that is not aligned", WrongKeyCases::notAligned,
                "answer that has no place", WrongKeyCases::answerHasNoPlace,
                "key of the receive", bed -> receiver(bed, 0x7777, 1000, WcStatus.LOC_PROT_ERR, WcStatus.REM_OP_ERR),
                "receive too short",
                        bed -> receiver(bed, bed.rig.mr.lkey(), 10, WcStatus.LOC_LEN_ERR, WcStatus.REM_INV_REQ_ERR));
    }

    private static void local(FaultRig bed, ScatterGatherElement element) {
        bed.receives(FaultRig.RECEIVES, 1);
        bed.receives(FaultRig.PEERS, 3);
        bed.sends(0, 1);
        bed.post(bed.send(1).sgList(element));
        bed.sends(2, 1);
        bed.work();
        bed.expect(FaultRig.SENDS, "0 ok", "1 " + FaultRig.told(WcStatus.LOC_PROT_ERR, 0), "2 flush");
        bed.expect(FaultRig.RECEIVES, "1000 flush");
        bed.expect(FaultRig.PEERS, "2000 ok");
        bed.goOn();
    }

    private static SendWorkRequest request(FaultRig bed, int opcode) {
        return bed.send(1)
                .opcode(opcode)
                .remoteAddr(bed.rig.mr.addr() + FaultRig.TARGET)
                .rkey(bed.rig.mr.rkey());
    }

    private static void remote(FaultRig bed, Function<SendWorkRequest, SendWorkRequest> wrong, int opcode) {
        bed.receives(FaultRig.PEERS, 2);
        bed.sends(0, 1);
        bed.post(wrong.apply(request(bed, opcode)));
        bed.sends(2, 2);
        bed.work();
        bed.expect(FaultRig.SENDS, "0 ok", "1 " + FaultRig.told(WcStatus.REM_ACCESS_ERR, 0), "2 flush", "3 flush");
        bed.expect(FaultRig.PEERS, "2000 ok", "2001 flush"); // the responder is in error as well
        bed.requireInError(bed.rig.peer);
        bed.goOn();
    }

    /** The region is read-only. */
    private static void noRight(FaultRig bed) {
        ByteBuffer memory = ByteBuffer.allocateDirect(FaultRig.LENGTH);
        try (MemoryRegion region = bed.rig.pd.regMr(memory, AccessFlags.LOCAL_WRITE | AccessFlags.REMOTE_READ)) {
            bed.post(request(bed, WrOpcode.RDMA_READ).remoteAddr(region.addr()).rkey(region.rkey()));
            bed.work();
            bed.expect(FaultRig.SENDS, "1 ok");
            remote(bed, wr -> wr.remoteAddr(region.addr()).rkey(region.rkey()), WrOpcode.RDMA_WRITE);
        }
    }

    private static void notAligned(FaultRig bed) {
        bed.post(request(bed, WrOpcode.ATOMIC_CMP_AND_SWP)
                .remoteAddr(bed.rig.mr.addr() + FaultRig.TARGET + 4)
                .sgList(ScatterGatherElement.of(bed.rig.mr, 0, Long.BYTES)));
        bed.work();
        bed.expect(FaultRig.SENDS, "1 " + FaultRig.told(WcStatus.REM_INV_REQ_ERR, 0));
        bed.goOn();
    }

    /** A read whose answer has a wrong local key. */
    private static void answerHasNoPlace(FaultRig bed) {
        bed.post(request(bed, WrOpcode.RDMA_READ)
                .sendFlags(SendFlags.SIGNALED)
                .sgList(new ScatterGatherElement()
                        .addr(bed.rig.mr.addr())
                        .length(1000)
                        .lkey(0x7777)));
        bed.sends(2, 1);
        bed.work();
        bed.expect(FaultRig.SENDS, "1 " + FaultRig.told(WcStatus.LOC_PROT_ERR, 0), "2 flush");
        bed.goOn();
    }

    /** The peer's second receive is wrong: the receiver and the sender report different errors. */
    private static void receiver(FaultRig bed, int lkey, int length, int receiver, int sender) {
        bed.receives(FaultRig.PEERS, 1);
        RecvWorkRequest wrong = bed.receive(FaultRig.PEERS + 1)
                .sgList(new ScatterGatherElement()
                        .addr(bed.rig.mr.addr() + FaultRig.TARGET)
                        .length(length)
                        .lkey(lkey));
        Check.require(bed.rig.peer.postRecv(wrong) == 0, "a receive was refused");
        bed.receives(FaultRig.PEERS + 2, 2);
        bed.sends(0, 3);
        bed.work();
        bed.expect(FaultRig.PEERS, "2000 ok", "2001 " + FaultRig.told(receiver, 0), "2002 flush", "2003 flush");
        bed.expect(FaultRig.SENDS, "0 ok", "1 " + FaultRig.told(sender, 0), "2 flush");
        bed.goOn();
    }
}
