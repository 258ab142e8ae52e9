/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.mlx5.sim.programs;

import io.verbs4j.AccessFlags;
import io.verbs4j.Context;
import io.verbs4j.Errno;
import io.verbs4j.VerbsException;
import io.verbs4j.mlx5dv.Devx;
import io.verbs4j.mlx5dv.DevxCommandCompletion;
import io.verbs4j.mlx5dv.DevxCommandCompletions;
import io.verbs4j.mlx5dv.DevxEvent;
import io.verbs4j.mlx5dv.DevxEventChannel;
import io.verbs4j.mlx5dv.DevxEventChannelFlags;
import io.verbs4j.mlx5dv.DevxEventType;
import io.verbs4j.mlx5dv.DevxException;
import io.verbs4j.mlx5dv.DevxObject;
import io.verbs4j.mlx5dv.DevxOpcode;
import io.verbs4j.mlx5dv.DevxStatus;
import io.verbs4j.mlx5dv.DevxUmem;
import io.verbs4j.mlx5dv.Mailbox;
import io.verbs4j.mlx5dv.Mlx5Dv;
import io.verbs4j.mlx5dv.Uar;
import io.verbs4j.mlx5dv.UarType;
import io.verbs4j.natives.call.Libc;
import io.verbs4j.natives.memory.NativeMemory;
import io.verbs4j.natives.memory.Scratch;
import io.verbs4j.rdmacore.sim.Cases;
import io.verbs4j.rdmacore.sim.Check;
import io.verbs4j.rdmacore.sim.SimulatedDevice;
import io.verbs4j.rdmacore.sim.Simulator;
import io.verbs4j.testsupport.Patience;
import java.nio.ByteBuffer;
import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;

/**
 * Cases of asynchronous answers of DevX, on a simulated device: queries that run in the background, and events. Each
 * method is a case, run by its name.
 */
public final class DevxEventsProgram {
    private static final int EVENTFD_NONBLOCK = 0x800;

    private DevxEventsProgram() {}

    /** Runs the case named by the first argument. */
    public static void main(String... args) {
        Cases.run(args[0], name -> {
            try (Context context = SimulatedDevice.open("mlx5_0")) {
                DevxEventsProgram.class.getDeclaredMethod(name, Devx.class).invoke(null, context.vendor(Devx.class));
            } catch (java.lang.reflect.InvocationTargetException e) {
                throw new IllegalStateException(name, e.getCause());
            }
            Check.require(Simulator.violations() == 0, Simulator.message());
        });
    }

    static void queries(Devx devx) {
        DevxRig.Tis tis = new DevxRig.Tis(devx);
        DevxCommandCompletions answers = devx.createCommandCompletions();
        for (int i = 0; i < 200; i++) {
            answers.queryAsync(tis.object, tis.queryCommand(), 176, ~i);
        }
        Check.same(null, answers.get(0, TimeUnit.SECONDS));
        Check.same(null, answers.get(20, TimeUnit.MILLISECONDS));
        Simulator.device_sim_pump(120);
        for (int i = 0; i < 120; i++) {
            DevxCommandCompletion answer = answers.get();
            Check.equal(~i, answer.wrId(), "wrId");
            Check.equal(5, answer.get().get(0x80 + 0x0c, 4), "priority");
        }
        Check.same(null, answers.get(0, TimeUnit.SECONDS));
        tis.close(); // the rest finds the object gone
        Check.fails(Errno.EINVAL, () -> answers.queryAsync(tis.object, tis.queryCommand(), 176, 1));
        Simulator.pump();
        for (int i = 120; i < 200; i++) {
            DevxCommandCompletion answer = answers.get(Patience.SECONDS, TimeUnit.SECONDS);
            Check.equal(~i, answer.wrId(), "wrId");
            DevxException e = DevxRig.refused(answer::get);
            Check.equal(DevxStatus.BAD_RES, e.status, "status");
        }
        answers.close();
        answers.close();
        Check.fails(Errno.EINVAL, answers::get);
        Check.fails(Errno.EINVAL, () -> answers.queryAsync(tis.object, tis.queryCommand(), 176, 1));
    }

    static void limits(Devx devx) {
        DevxRig.Tis tis = new DevxRig.Tis(devx);
        DevxCommandCompletions answers = devx.createCommandCompletions();
        Check.fails(Errno.EINVAL, () -> answers.queryAsync(null, tis.queryCommand(), 176, 1));
        Check.fails(Errno.EINVAL, () -> answers.queryAsync(tis.object, null, 176, 1));
        Check.fails(Errno.EINVAL, () -> answers.queryAsync(tis.object, tis.queryCommand(), 15, 1));
        Check.fails(Errno.EINVAL, () -> answers.queryAsync(tis.object, tis.queryCommand(), 0x10000, 1));
        Check.fails(Errno.EINVAL, () -> answers.queryAsync(tis.object, new Mailbox(16).opcode(DevxOpcode.NOP), 176, 1));
        Check.fails(Errno.EINVAL, () -> answers.get(1, null));
        for (int i = 0; i < 16; i++) {
            answers.queryAsync(tis.object, tis.queryCommand(), 0xffff, i);
        }
        Check.fails(Errno.EAGAIN, () -> answers.queryAsync(tis.object, tis.queryCommand(), 176, 16));
        Simulator.pump();
        Check.equal(0, answers.get().wrId(), "wrId");
        answers.queryAsync(tis.object, tis.queryCommand(), 176, 16);
        answers.close(); // with unread answers and a query under way
        Simulator.pump();
        tis.close();
    }

    static void waiting(Devx devx) throws Exception {
        DevxRig.Tis tis = new DevxRig.Tis(devx);
        DevxCommandCompletions answers = devx.createCommandCompletions();
        DevxEventChannel channel = devx.createEventChannel(0);
        channel.subscribe(tis.object, 7, DevxEventType.CQ_ERROR);
        interrupted(answers::get);
        interrupted(channel::getEvent);
        interrupted(() -> channel.getEvent(1, TimeUnit.HOURS));

        FutureTask<DevxCommandCompletion> answer = start(answers::get);
        answers.queryAsync(tis.object, tis.queryCommand(), 176, 99);
        Simulator.pump();
        Check.equal(99, answer.get(Patience.SECONDS, TimeUnit.SECONDS).wrId(), "wrId");
        FutureTask<DevxEvent> event = start(channel::getEvent);
        raise(DevxEventType.CQ_ERROR, DevxOpcode.CREATE_TIS, tis.number);
        Check.equal(7, event.get(Patience.SECONDS, TimeUnit.SECONDS).cookie(), "cookie");

        FutureTask<DevxCommandCompletion> none = start(answers::get);
        FutureTask<DevxEvent> noEvent = start(channel::getEvent);
        answers.close();
        channel.close();
        ended(none);
        ended(noEvent);
        tis.close();
    }

    private static <T> FutureTask<T> start(Callable<T> wait) throws InterruptedException {
        FutureTask<T> task = new FutureTask<>(wait);
        Thread thread = new Thread(task);
        thread.start();
        while (thread.getState() != Thread.State.TIMED_WAITING && thread.isAlive()) {
            Thread.sleep(1);
        }
        return task;
    }

    private static void interrupted(Runnable wait) throws Exception {
        FutureTask<Boolean> task = new FutureTask<>(() -> {
            Check.fails(Errno.EINTR, wait);
            return Thread.currentThread().isInterrupted();
        });
        Thread thread = new Thread(task);
        thread.start();
        while (thread.getState() != Thread.State.TIMED_WAITING && thread.isAlive()) {
            Thread.sleep(1);
        }
        thread.interrupt();
        Check.require(task.get(Patience.SECONDS, TimeUnit.SECONDS), "the thread is no longer interrupted");
    }

    private static void ended(FutureTask<?> task) throws Exception {
        try {
            task.get(Patience.SECONDS, TimeUnit.SECONDS);
        } catch (java.util.concurrent.ExecutionException e) {
            Check.equal(Errno.EBADF, ((VerbsException) e.getCause()).errno(), "errno");
            return;
        }
        throw new IllegalStateException("the wait did not end with an error");
    }

    private static void raise(int event, int opcode, int number) {
        Check.equal(0, Simulator.device_sim_devx_event(0, event, opcode, number), "device_sim_devx_event");
    }

    static void events(Devx devx) {
        DevxRig.Tis tis = new DevxRig.Tis(devx);
        DevxRig.Tis quiet = new DevxRig.Tis(devx);
        DevxEventChannel whole = devx.createEventChannel(0);
        DevxEventChannel bare = devx.createEventChannel(DevxEventChannelFlags.OMIT_DATA);
        whole.subscribe(tis.object, -1, DevxEventType.CQ_ERROR, DevxEventType.WQ_CATAS_ERROR);
        whole.subscribe(null, 33, DevxEventType.PORT_CHANGE);
        bare.subscribe(tis.object, 22, DevxEventType.CQ_ERROR);
        int fd = Libc.eventfd(0, EVENTFD_NONBLOCK);
        bare.subscribeFd(fd, tis.object, DevxEventType.CQ_ERROR);

        raise(DevxEventType.CQ_ERROR, DevxOpcode.CREATE_TIS, tis.number);
        raise(DevxEventType.CQ_ERROR, DevxOpcode.CREATE_TIS, tis.number);
        raise(DevxEventType.CQ_ERROR, DevxOpcode.CREATE_TIS, quiet.number);
        raise(DevxEventType.PORT_CHANGE, 0, 1);
        for (int i = 0; i < 2; i++) {
            DevxEvent event = whole.getEvent();
            Check.equal(-1, event.cookie(), "cookie");
            Check.equal(DevxEventType.CQ_ERROR, event.type(), "type");
            Check.equal(tis.number, event.data().get(32 * 8 + 8, 24), "number");
        }
        DevxEvent port = whole.getEvent(Patience.SECONDS, TimeUnit.SECONDS);
        Check.equal(33, port.cookie(), "cookie");
        Check.equal(DevxEventType.PORT_CHANGE, port.type(), "type");
        Check.same(null, whole.getEvent(0, TimeUnit.SECONDS));
        DevxEvent both = bare.getEvent();
        Check.equal(22, both.cookie(), "cookie");
        Check.equal(-1, both.type(), "type");
        Check.same(null, bare.getEvent(0, TimeUnit.SECONDS));
        Check.equal(2, counter(fd), "counter of the eventfd");

        raise(DevxEventType.CQ_ERROR, DevxOpcode.CREATE_TIS, tis.number);
        tis.close(); // events without data disappear with it
        Check.same(null, bare.getEvent(0, TimeUnit.SECONDS));
        Check.equal(-1, whole.getEvent().cookie(), "cookie");
        refusedSubscriptions(devx, whole, quiet.object, tis.object);
        quiet.close();
        whole.close();
        bare.close();
        Libc.close(fd);
        Check.fails(Errno.EINVAL, whole::getEvent);
        Check.fails(Errno.EINVAL, () -> whole.subscribe(null, 1, DevxEventType.PORT_CHANGE));
    }

    /** A completion queue in the program's own memory and on its own register page, and its completion event. */
    static void ownQueue(Devx devx) {
        ByteBuffer memory = ByteBuffer.allocateDirect(3 * 4096);
        DevxEventChannel channel = devx.createEventChannel(0);
        try (DevxUmem umem = devx.regUmem(memory, AccessFlags.LOCAL_WRITE);
                Uar page = devx.context().vendor(Mlx5Dv.class).allocUar(UarType.NC)) {
            Mailbox in = new Mailbox(272)
                    .opcode(DevxOpcode.CREATE_CQ)
                    .put(0xa0, 32, umem.umemId()) // of the doorbell record, which follows the ring
                    .put(0xe3, 5, 6)
                    .put(0xe8, 24, page.pageId())
                    .put(0x138, 8, devx.queryEqn(0))
                    .put(0x240, 64, 4096)
                    .put(0x2c0, 32, umem.umemId());
            Mailbox out = new Mailbox(16);
            DevxObject queue = devx.createObject(in, out);
            int number = out.getInt(0x48, 24);
            channel.subscribe(queue, 1, DevxEventType.COMP);
            Check.fails(Errno.EBUSY, umem::close);
            raise(DevxEventType.COMP, DevxOpcode.CREATE_CQ, number);
            DevxEvent event = channel.getEvent();
            Check.equal(DevxEventType.COMP, event.type(), "type");
            Check.equal(number, event.data().get(56 * 8 + 8, 24), "number");
            queue.close();
            DevxException e = DevxRig.refused(() -> devx.createObject(in.put(0x280, 64, 3 * 4096), out));
            Check.equal(0x04000280, e.syndrome, "syndrome: the ring is not in the memory");
        }
        channel.close();
    }

    private static void refusedSubscriptions(Devx devx, DevxEventChannel channel, DevxObject open, DevxObject closed) {
        Check.fails(Errno.EINVAL, () -> channel.subscribe(open, 1, 0x77));
        Check.fails(Errno.EINVAL, () -> channel.subscribe(open, 1, -1));
        Check.fails(Errno.EINVAL, () -> channel.subscribe(open, 1, 0x10004));
        Check.fails(Errno.EINVAL, () -> channel.subscribe(open, 1));
        Check.fails(Errno.EINVAL, () -> channel.subscribe(open, 1, (int[]) null));
        Check.fails(Errno.EINVAL, () -> channel.subscribe(open, 1, new int[17]));
        Check.fails(Errno.EINVAL, () -> channel.subscribe(null, 1, DevxEventType.CQ_ERROR));
        Check.fails(Errno.EINVAL, () -> channel.subscribe(closed, 1, DevxEventType.CQ_ERROR));
        Check.fails(Errno.EBADF, () -> channel.subscribeFd(12345, open, DevxEventType.CQ_ERROR));
        Check.fails(Errno.EINVAL, () -> channel.subscribeFd(2, open, DevxEventType.CQ_ERROR));
        Check.fails(Errno.EINVAL, () -> devx.createEventChannel(2));
        try (Context other = SimulatedDevice.open("mlx5_0");
                DevxEventChannel elsewhere = other.vendor(Devx.class).createEventChannel(0)) {
            Check.fails(Errno.EINVAL, () -> elsewhere.subscribe(open, 1, DevxEventType.CQ_ERROR));
        }
    }

    private static long counter(int fd) {
        try (Scratch c = new Scratch(Long.BYTES)) {
            Check.equal(Long.BYTES, Libc.read(fd, c.address(), Long.BYTES), "read");
            return NativeMemory.getLong(c.address());
        }
    }
}
