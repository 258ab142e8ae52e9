/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.mlx5.sim.programs;

import static io.verbs4j.rdmacore.sim.Check.require;

import io.verbs4j.Errno;
import io.verbs4j.QpType;
import io.verbs4j.ScatterGatherElement;
import io.verbs4j.SendFlags;
import io.verbs4j.WcStatus;
import io.verbs4j.WrOpcode;
import io.verbs4j.natives.memory.NativeMemory;
import io.verbs4j.rdmacore.sim.QpWalk;
import io.verbs4j.rdmacore.sim.Simulator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * A program for two simulated devices: causes faults on libmlx5's data path on one and on Java's on the other. Checks
 * the outcome, and that both report the same in the same order.
 */
public final class FaultsProgram {
    private static final int[] STATUSES = {
        WcStatus.LOC_LEN_ERR,
        WcStatus.LOC_QP_OP_ERR,
        WcStatus.LOC_PROT_ERR,
        WcStatus.MW_BIND_ERR,
        WcStatus.BAD_RESP_ERR,
        WcStatus.LOC_ACCESS_ERR,
        WcStatus.REM_INV_REQ_ERR,
        WcStatus.REM_ACCESS_ERR,
        WcStatus.REM_OP_ERR,
        WcStatus.RETRY_EXC_ERR,
        WcStatus.RNR_RETRY_EXC_ERR,
        WcStatus.REM_ABORT_ERR,
        WcStatus.GENERAL_ERR,
    };

    /** A fault to cause on one rig. */
    interface Scenario {
        void run(FaultRig bed);
    }

    private FaultsProgram() {}

    public static void main(String... args) {
        Map<String, Scenario> scenarios = new TreeMap<>();
        for (int i = 0; i < STATUSES.length; i++) {
            int status = STATUSES[i];
            int vendor = 0x11 + 13 * i;
            scenarios.put("status " + WcStatus.toString(status), bed -> status(bed, status, vendor));
        }
        scenarios.put("unsignaled", FaultsProgram::unsignaled);
        scenarios.put("full in error", FaultsProgram::fullInError);
        scenarios.put("not ready for a while", bed -> retried(bed, Simulator.RNR));
        scenarios.put("lost for a while", bed -> retried(bed, Simulator.DROP));
        scenarios.put("answers lost for a while", bed -> retried(bed, Simulator.DROP_ANSWER));
        scenarios.put("lost for good", FaultsProgram::lost);
        scenarios.put("never ready", FaultsProgram::neverReady);
        scenarios.put("answer to an atomic lost", FaultsProgram::atomicOnce);
        scenarios.putAll(WrongKeyCases.scenarios());
        scenarios.putAll(AsyncEventCases.scenarios());
        scenarios.putAll(ElementLengthCases.scenarios());
        int seen = 0;
        for (Map.Entry<String, Scenario> s : scenarios.entrySet()) {
            List<String> theirs = run("mlx5_0", "native", s.getKey(), s.getValue());
            List<String> ours = run("mlx5_1", "java", s.getKey(), s.getValue());
            require(ours.equals(theirs), s.getKey() + ":\n ours    " + ours + "\n libmlx5 " + theirs);
            require(!ours.isEmpty(), s.getKey() + ": nothing happened");
            seen += ours.size();
        }
        System.out.println(
                "faults " + scenarios.size() + " scenarios, " + seen + " things seen, the same by both paths");
    }

    private static List<String> run(String device, String path, String name, Scenario scenario) {
        int type = name.startsWith("datagrams") ? QpType.UD : QpType.RC;
        try (FaultRig bed = new FaultRig(device, path, type)) {
            try {
                scenario.run(bed);
                Simulator.requireNoViolation();
            } catch (RuntimeException e) {
                throw new IllegalStateException(name + ", path " + path + ", seen " + bed.log(), e);
            }
            return bed.log();
        }
    }

    /**
     * The third of eight requests fails and reports why; the rest is flushed in order, and so are the receives.
     * Afterwards the queue pair works again.
     */
    private static void status(FaultRig bed, int status, int vendor) {
        bed.receives(FaultRig.RECEIVES, 3);
        bed.receives(FaultRig.PEERS, 8);
        bed.sends(0, 2);
        bed.work();
        bed.expect(FaultRig.SENDS, "0 ok", "1 ok");
        bed.expect(FaultRig.PEERS, "2000 ok", "2001 ok");
        bed.fault(bed.rig.qp, Simulator.ERROR, status | vendor << 8, 1);
        bed.sends(2, 6);
        bed.work();
        bed.expect(
                FaultRig.SENDS,
                "2 " + FaultRig.told(status, vendor),
                "3 flush",
                "4 flush",
                "5 flush",
                "6 flush",
                "7 flush");
        bed.expect(FaultRig.RECEIVES, "1000 flush", "1001 flush", "1002 flush");
        bed.expect(FaultRig.PEERS);
        bed.requireInError(bed.rig.qp);
        bed.sends(8, 2);
        bed.receives(FaultRig.RECEIVES + 3, 1);
        bed.work();
        bed.expect(FaultRig.SENDS, "8 flush", "9 flush");
        bed.expect(FaultRig.RECEIVES, "1003 flush");
        bed.goOn();
    }

    /** An unsignaled request reports nothing if it succeeds, but does if it is flushed. */
    private static void unsignaled(FaultRig bed) {
        bed.receives(FaultRig.PEERS, 8);
        bed.sends(0, 4, 0);
        bed.work();
        bed.expect(FaultRig.SENDS);
        bed.expect(FaultRig.PEERS, "2000 ok", "2001 ok", "2002 ok", "2003 ok");
        bed.fault(bed.rig.qp, Simulator.ERROR, WcStatus.REM_OP_ERR, 1);
        bed.sends(4, 4, 0);
        bed.work();
        bed.expect(FaultRig.SENDS, "4 " + FaultRig.told(WcStatus.REM_OP_ERR, 0), "5 flush", "6 flush", "7 flush");
        bed.goOn();
    }

    /** A queue in error accepts as many requests as it has room for, and as many again once they are flushed. */
    private static void fullInError(FaultRig bed) {
        bed.fault(bed.rig.qp, Simulator.ERROR, WcStatus.LOC_QP_OP_ERR, 1);
        bed.sends(0, 1);
        bed.work();
        for (int round = 0; round < 9; round++) {
            int sends = 0;
            while (bed.rig.qp.postSend(bed.send(100 * round + sends).sendFlags(0)) == 0) {
                sends++;
            }
            int receives = 0;
            while (receives < 100
                    && bed.rig.qp.postRecv(bed.receive(FaultRig.RECEIVES + 100 * round + receives)) == 0) {
                receives++;
            }
            require(sends >= Mlx5Rig.DEPTH && receives >= Mlx5Rig.DEPTH, sends + " sends, " + receives + " receives");
            require(bed.rig.qp.postSend(bed.send(0)) == Errno.ENOMEM, "a full send queue must say so");
            require(bed.rig.qp.postRecv(bed.receive(0)) == Errno.ENOMEM, "a full receive queue must say so");
            bed.note(sends + " sends, " + receives + " receives");
            bed.work();
            bed.expect(FaultRig.SENDS, flushed(100 * round, sends));
            bed.expect(FaultRig.RECEIVES, flushed(FaultRig.RECEIVES + 100 * round, receives));
        }
        bed.goOn();
    }

    private static String[] flushed(int from, int count) {
        String[] all = new String[count];
        for (int i = 0; i < count; i++) {
            all[i] = from + i + " flush";
        }
        return all;
    }

    /** A few attempts fail; only the counter of retries shows it. */
    private static void retried(FaultRig bed, int kind) {
        QpWalk.reset(bed.rig.qp);
        Mlx5Rig.connect(bed.rig.qp, bed.rig.path(), bed.rig.peer.qpNum(), 6);
        bed.receives(FaultRig.PEERS, 4);
        long before = Simulator.device_sim_count(Simulator.RETRIES);
        bed.fault(kind == Simulator.RNR ? bed.rig.peer : bed.rig.qp, kind, 0, 3);
        bed.sends(0, 4);
        bed.work();
        bed.expect(FaultRig.SENDS, "0 ok", "1 ok", "2 ok", "3 ok");
        bed.expect(FaultRig.PEERS, "2000 ok", "2001 ok", "2002 ok", "2003 ok");
        require(Simulator.device_sim_count(Simulator.RETRIES) - before == 3, "the device did not retry");
        bed.requireData(0, 4);
    }

    private static void lost(FaultRig bed) {
        bed.receives(FaultRig.PEERS, 2);
        bed.fault(bed.rig.qp, Simulator.DROP, 0, 100);
        bed.sends(0, 3);
        bed.work();
        bed.fault(bed.rig.qp, Simulator.DROP, 0, 0);
        bed.expect(FaultRig.SENDS, "0 " + FaultRig.told(WcStatus.RETRY_EXC_ERR, 0), "1 flush", "2 flush");
        bed.expect(FaultRig.PEERS);
        bed.requireInError(bed.rig.qp);
        bed.goOn();
    }

    private static void neverReady(FaultRig bed) {
        QpWalk.reset(bed.rig.qp);
        Mlx5Rig.connect(bed.rig.qp, bed.rig.path(), bed.rig.peer.qpNum(), 3);
        bed.sends(0, 2);
        bed.work();
        bed.expect(FaultRig.SENDS, "0 " + FaultRig.told(WcStatus.RNR_RETRY_EXC_ERR, 0), "1 flush");
        bed.goOn();
    }

    /** An operation that was already executed must not be executed again. */
    private static void atomicOnce(FaultRig bed) {
        long counter = bed.rig.mr.addr() + FaultRig.TARGET;
        NativeMemory.putLong(counter, 5);
        bed.fault(bed.rig.qp, Simulator.DROP_ANSWER, 0, 2);
        bed.post(bed.send(0)
                .opcode(WrOpcode.ATOMIC_FETCH_AND_ADD)
                .sendFlags(SendFlags.SIGNALED)
                .remoteAddr(counter)
                .rkey(bed.rig.mr.rkey())
                .compareAdd(3)
                .sgList(ScatterGatherElement.of(bed.rig.mr, 0, Long.BYTES)));
        bed.work();
        bed.expect(FaultRig.SENDS, "0 ok");
        require(NativeMemory.getLong(counter) == 8, "added " + (NativeMemory.getLong(counter) - 5) + " instead of 3");
        require(NativeMemory.getLong(bed.rig.mr.addr()) == 5, "what was there before");
    }
}
