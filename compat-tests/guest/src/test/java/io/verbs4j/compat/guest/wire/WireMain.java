/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.guest.wire;

import io.verbs4j.AccessFlags;
import io.verbs4j.Context;
import io.verbs4j.Device;
import io.verbs4j.QpType;
import io.verbs4j.VerbsLevel;
import io.verbs4j.WrOpcode;
import io.verbs4j.compat.guest.wire.Case.Form;
import io.verbs4j.core.Verbs;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * One of the two processes. Both get the same list of steps; the connecting one prints a line for each case, in the
 * form of {@code TestsMain}.
 *
 * <pre>
 * serve|HOST DEVICE GIDS STEP...
 *   GIDS  indexes of the GIDs to use, for instance ipv4=0,ipv6=1
 *   STEP  rc, uc, ud, refused: every case, with each GID, each end in turn as the requester
 *         windows: memory windows of type 2, which one end binds and both invalidate
 *         answered: atomic writes and flushes, which the kernel's end supports with a newer library
 *         few: only some sizes of rc, for slow machines
 *         bulk=MIB: this much data with the first GID, each end in turn as the requester
 * </pre>
 */
public final class WireMain {
    private static final int[] SIZES = {0, 1, End.MTU - 1, End.MTU, End.MTU + 1, 64 << 10, 1 << 20};

    /** No byte, one packet, two packets, many. */
    private static final int[] FEW = {0, 1, End.MTU + 1, 40_000};

    private final Talk talk;
    private final Context context;
    private final String device;
    private final boolean prints;
    private int count;

    private WireMain(Talk talk, Context context, String device, boolean prints) {
        this.talk = talk;
        this.context = context;
        this.device = device;
        this.prints = prints;
    }

    public static void main(String... args) throws Exception {
        boolean serves = args[0].equals("serve");
        Device device = Verbs.devices().stream()
                .filter(d -> d.name().equals(args[1]))
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("no " + args[1] + ": " + Verbs.report()));
        try (Talk talk = serves ? Talk.serve() : Talk.connect(args[0]);
                Context context = Verbs.open(device, VerbsLevel.CURRENT)) {
            WireMain main = new WireMain(talk, context, device.name(), !serves);
            String[] gids = args[2].split(",", -1);
            for (String step : List.of(args).subList(3, args.length)) {
                for (boolean requests : new boolean[] {!serves, serves}) {
                    main.step(step, gids, requests);
                }
            }
            if (!serves) {
                System.out.println("done\t" + main.count);
            }
        }
    }

    private void step(String step, String[] gids, boolean requests) throws IOException {
        if (step.startsWith("bulk=")) {
            bulk(Long.parseLong(step.substring(5)) << 20, index(gids[0]), requests);
            return;
        }
        for (String gid : gids) {
            String title = step.toUpperCase(Locale.ROOT) + " " + gid.substring(0, gid.indexOf('='));
            switch (step) {
                case "rc" -> group(title, index(gid), QpType.RC, requests, reliable(SIZES));
                case "windows" -> group(title, index(gid), QpType.RC, requests, WindowCase.all());
                case "answered" -> group(title, index(gid), QpType.RC, requests, AnsweredCase.all());
                case "few" -> group(title, index(gid), QpType.RC, requests, reliable(FEW));
                case "uc" ->
                    group(
                            title,
                            index(gid),
                            QpType.UC,
                            requests,
                            sized(SIZES, WrOpcode.RDMA_WRITE, WrOpcode.SEND_WITH_IMM));
                case "ud" -> {
                    int[] sizes = {0, 1, End.MTU - 1, End.MTU};
                    group(title, index(gid), QpType.UD, requests, sized(sizes, WrOpcode.SEND, WrOpcode.SEND_WITH_IMM));
                }
                case "refused" -> {
                    for (Case one : refused()) {
                        group(title, index(gid), QpType.RC, requests, List.of(one));
                    }
                }
                default -> throw new IllegalArgumentException("no step " + step);
            }
        }
    }

    private static int index(String gid) {
        return Integer.parseInt(gid.substring(gid.indexOf('=') + 1));
    }

    // ---- cases

    private static List<Case> sized(int[] sizes, int first, int last) {
        List<Case> all = new ArrayList<>();
        for (int opcode = first; opcode <= last; opcode++) {
            for (int size : sizes) {
                all.add(new Case(opcode, size, Form.WHOLE));
                if (size > 2) {
                    all.add(new Case(opcode, size, Form.PIECES));
                }
            }
            if (opcode != WrOpcode.RDMA_READ) {
                all.add(new Case(opcode, 1, Form.INLINE));
                all.add(new Case(opcode, 128, Form.INLINE));
            }
        }
        return all;
    }

    private static List<Case> reliable(int[] sizes) {
        List<Case> all = sized(sizes, WrOpcode.RDMA_WRITE, WrOpcode.RDMA_READ);
        all.add(Case.late(3000));
        all.add(Case.atomic(WrOpcode.ATOMIC_FETCH_AND_ADD, 40, 2, 0, 42));
        all.add(Case.atomic(WrOpcode.ATOMIC_FETCH_AND_ADD, -1, 1, 0, 0));
        all.add(Case.atomic(WrOpcode.ATOMIC_CMP_AND_SWP, 42, 42, -5, -5));
        all.add(Case.atomic(WrOpcode.ATOMIC_CMP_AND_SWP, 42, 41, -5, 42));
        return all;
    }

    private static List<Case> refused() {
        List<Case> all = new ArrayList<>();
        for (int opcode : new int[] {
            WrOpcode.RDMA_WRITE, WrOpcode.RDMA_READ, WrOpcode.ATOMIC_CMP_AND_SWP, WrOpcode.ATOMIC_FETCH_AND_ADD
        }) {
            all.add(Case.refused(opcode, true));
            all.add(Case.refused(opcode, false));
        }
        return all;
    }

    // ---- running

    private void group(String title, int gid, int qpType, boolean requests, List<Case> cases) throws IOException {
        String who = prints == requests ? device : "the other";
        int done = 0;
        int rights = cases.get(0) instanceof AnsweredCase ? AccessFlags.FLUSH_GLOBAL : 0;
        try (End end = new End(context, gid, qpType, requests ? Case.REQUESTER : Case.RESPONDER, rights)) {
            end.connect(talk);
            for (; done < cases.size(); done++) {
                Case one = cases.get(done);
                step(() -> one.prepare(end, requests));
                step(() -> {
                    if (requests) {
                        one.request(end);
                    } else {
                        one.respond(end);
                    }
                });
                step(() -> {
                    if (requests) {
                        one.afterwards(end);
                    }
                });
                step(() -> {
                    if (!requests) {
                        one.verify(end);
                    }
                });
                tell("pass", title, who, one.name(), "");
            }
        } catch (IllegalStateException e) {
            for (; done < cases.size(); done++) { // the remaining cases have no connection any more
                tell("fail", title, who, cases.get(done).name(), e.getMessage());
            }
        }
    }

    private void step(Runnable body) throws IOException {
        RuntimeException trouble = null;
        try {
            body.run();
        } catch (RuntimeException e) {
            trouble = e;
        }
        talk.meet(trouble);
    }

    private void bulk(long asked, int gid, boolean requests) throws IOException {
        long start = System.nanoTime();
        String who = prints == requests ? device : "the other";
        try (End end = new End(context, gid, QpType.RC, requests ? Case.REQUESTER : Case.RESPONDER)) {
            end.connect(talk);
            Bulk.run(end, asked, requests, talk);
            double seconds = (System.nanoTime() - start) / 1e9;
            long mib = Bulk.bytes(asked) >> 20;
            tell(
                    "pass",
                    "BULK",
                    who,
                    mib + " MiB",
                    String.format(Locale.ROOT, "%.1f s, %.1f MiB/s", seconds, mib / seconds));
        } catch (IllegalStateException e) {
            tell("fail", "BULK", who, "" + asked, e.getMessage());
        }
    }

    private void tell(String word, String title, String who, String name, String said) {
        count++;
        if (prints) {
            System.out.println(String.join("\t", word, title, who + " requests: " + name, said));
        }
    }
}
