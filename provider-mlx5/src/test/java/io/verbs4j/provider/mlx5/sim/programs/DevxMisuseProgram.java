/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.mlx5.sim.programs;

import io.verbs4j.AccessFlags;
import io.verbs4j.QpType;
import io.verbs4j.VerbsException;
import io.verbs4j.mlx5dv.Devx;
import io.verbs4j.mlx5dv.DevxCommandCompletions;
import io.verbs4j.mlx5dv.DevxEventChannel;
import io.verbs4j.mlx5dv.DevxEventType;
import io.verbs4j.mlx5dv.DevxObject;
import io.verbs4j.mlx5dv.DevxOpcode;
import io.verbs4j.mlx5dv.DevxUmem;
import io.verbs4j.mlx5dv.Mailbox;
import io.verbs4j.rdmacore.sim.Check;
import io.verbs4j.rdmacore.sim.Simulator;
import java.nio.ByteBuffer;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * Makes random calls from several threads on handles that others close meanwhile, with mailboxes that are half valid.
 * Nothing may crash, and failures must be a VerbsException. Arguments: the number of calls, the number of threads, and
 * a seed.
 */
public final class DevxMisuseProgram {
    private static final int SLOTS = 12;
    private static final int[] OPCODES = {
        DevxOpcode.ALLOC_PD,
        DevxOpcode.ALLOC_TRANSPORT_DOMAIN,
        DevxOpcode.CREATE_TIS,
        DevxOpcode.QUERY_TIS,
        DevxOpcode.MODIFY_TIS,
        DevxOpcode.ALLOC_Q_COUNTER,
        DevxOpcode.QUERY_Q_COUNTER,
        DevxOpcode.ALLOC_FLOW_COUNTER,
        DevxOpcode.QUERY_FLOW_COUNTER,
        DevxOpcode.CREATE_MKEY,
        DevxOpcode.QUERY_MKEY,
        DevxOpcode.CREATE_CQ,
        DevxOpcode.QUERY_QP,
        DevxOpcode.QUERY_CQ,
        DevxOpcode.NOP,
        DevxOpcode.CREATE_GENERAL_OBJECT,
        0xb02
    };
    private static final int[] LENGTHS = {16, 16, 32, 80, 192, 272, 176, 256};

    private final Mlx5Rig rig;
    private final Devx devx;
    private final AtomicReferenceArray<AutoCloseable> handles = new AtomicReferenceArray<>(SLOTS);
    private final AtomicInteger refused = new AtomicInteger();
    private final AtomicInteger passed = new AtomicInteger();

    private DevxMisuseProgram(Mlx5Rig rig) {
        this.rig = rig;
        devx = rig.context.vendor(Devx.class);
    }

    public static void main(String... args) throws Exception {
        int calls = Integer.parseInt(args[0]);
        int threads = Integer.parseInt(args[1]);
        Mlx5Rig rig = new Mlx5Rig("mlx5_0", "java", QpType.RC, ByteBuffer.allocateDirect(4096));
        DevxMisuseProgram misuse = new DevxMisuseProgram(rig);
        Thread[] all = new Thread[threads];
        Throwable[] failure = new Throwable[1];
        for (int i = 0; i < threads; i++) {
            SplittableRandom random = new SplittableRandom(Long.parseLong(args[2]) + i);
            all[i] = new Thread(() -> misuse.run(random, calls));
            all[i].setUncaughtExceptionHandler((t, e) -> failure[0] = e);
            all[i].start();
        }
        for (Thread thread : all) {
            thread.join();
        }
        if (failure[0] != null) {
            throw new IllegalStateException("a call failed unexpectedly", failure[0]);
        }
        misuse.closeAll();
        rig.close();
        Check.require(misuse.refused.get() > calls / 10, "hardly any call was refused");
        Check.require(misuse.passed.get() > calls / 10, "hardly any call succeeded");
        System.out.printf("misuse %d taken, %d refused%n", misuse.passed.get(), misuse.refused.get());
    }

    private void run(SplittableRandom random, int calls) {
        for (int i = 0; i < calls; i++) {
            try {
                call(random);
                passed.incrementAndGet();
            } catch (VerbsException e) {
                refused.incrementAndGet();
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
            Simulator.device_sim_pump(1);
        }
    }

    private Mailbox mailbox(SplittableRandom random) {
        Mailbox in =
                new Mailbox(LENGTHS[random.nextInt(LENGTHS.length)]).opcode(OPCODES[random.nextInt(OPCODES.length)]);
        for (int n = random.nextInt(3); n > 0; n--) {
            int bit = 0x40 + 8 * random.nextInt(in.length() - 12);
            in.put(bit, 32, random.nextInt(3) == 0 ? random.nextInt() & 0xffffffffL : random.nextInt(200));
        }
        return in;
    }

    private void call(SplittableRandom random) throws Exception {
        int slot = random.nextInt(SLOTS);
        AutoCloseable handle = handles.get(slot);
        Mailbox out = new Mailbox(LENGTHS[random.nextInt(LENGTHS.length)]);
        switch (random.nextInt(10)) {
            case 0, 1 -> replace(slot, create(random, out));
            case 2 -> {
                if (handle != null) {
                    handle.close(); // and leaves the closed handle in place
                }
            }
            case 3 -> devx.generalCmd(mailbox(random), out);
            case 4 ->
                devx.query(rig.qp, new Mailbox(16).opcode(DevxOpcode.QUERY_QP).put(0x48, 24, rig.qp.qpNum()), out);
            case 5 -> {
                if (random.nextInt(100) == 0) {
                    rig.context.close(); // EBUSY
                }
                devx.queryEqn(random.nextInt(2));
            }
            default -> useOf(handle, handles.get(random.nextInt(SLOTS)), random, out);
        }
    }

    private AutoCloseable create(SplittableRandom random, Mailbox out) {
        return switch (random.nextInt(5)) {
            case 0 -> devx.createCommandCompletions();
            case 1 -> devx.createEventChannel(random.nextInt(2));
            case 2 -> devx.regUmem(ByteBuffer.allocateDirect(4096), AccessFlags.LOCAL_WRITE);
            case 3 -> devx.createObject(new Mailbox(16).opcode(DevxOpcode.ALLOC_TRANSPORT_DOMAIN), out);
            default -> devx.createObject(mailbox(random), out);
        };
    }

    /** Forgets a handle only once it is closed, so that everything can be closed at the end. */
    private void replace(int slot, AutoCloseable made) throws Exception {
        AutoCloseable before = handles.getAndSet(slot, made);
        while (before != null) {
            try {
                before.close();
                return;
            } catch (VerbsException e) {
                // in use by another handle, which is closed first
                before = handles.getAndSet((int) (Math.random() * SLOTS), before);
            }
        }
    }

    private void useOf(AutoCloseable handle, AutoCloseable other, SplittableRandom random, Mailbox out) {
        DevxObject object = other instanceof DevxObject known ? known : null;
        if (handle instanceof DevxObject made) {
            if (random.nextBoolean()) {
                made.query(mailbox(random), out);
            } else {
                made.modify(mailbox(random), out);
            }
        } else if (handle instanceof DevxCommandCompletions answers) {
            if (object != null) {
                answers.queryAsync(object, mailbox(random), out.length(), random.nextLong());
            }
            answers.get(random.nextInt(2), TimeUnit.MILLISECONDS);
        } else if (handle instanceof DevxEventChannel channel) {
            if (object != null) {
                channel.subscribe(object, random.nextLong(), DevxEventType.CQ_ERROR);
            }
            channel.getEvent(random.nextInt(2), TimeUnit.MILLISECONDS);
        } else if (handle instanceof DevxUmem umem) {
            umem.umemId();
        }
    }

    private void closeAll() throws Exception {
        for (int i = 0; i < SLOTS * SLOTS; i++) {
            AutoCloseable handle = handles.get(i % SLOTS);
            try {
                if (handle != null) {
                    handle.close();
                }
            } catch (VerbsException e) {
                // another handle uses it
            }
        }
    }
}
