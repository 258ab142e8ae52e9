/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package probe;

import com.sun.jna.Function;
import com.sun.jna.Memory;
import com.sun.jna.NativeLibrary;
import com.sun.jna.Pointer;
import io.verbs4j.AccessFlags;
import io.verbs4j.ContextSlot;
import io.verbs4j.ContextTable;
import io.verbs4j.Device;
import io.verbs4j.DeviceAttrEx;
import io.verbs4j.QueryDeviceExInput;
import io.verbs4j.provider.rxe.KernelDevices;
import io.verbs4j.rdmacore.NativeContext;
import io.verbs4j.natives.call.NativeFunction;
import io.verbs4j.rdmacore.layout.ExtendedContextLayout;
import io.verbs4j.natives.memory.NativeMemory;
import io.verbs4j.slot.QueryDeviceEx;
import java.lang.reflect.Field;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * Runs a program, then tells what the binding makes of the native library that the program has used. The arguments: the
 * program's main class, its argument, and the names of the slots from offset -24 on, with commas between.
 */
public final class NativeProbe {
    private static final int FIRST_SLOT = -24;
    private static final int PAGE = 4096;

    private NativeProbe() {}

    public static void main(String[] args) throws Exception {
        Class.forName(args[0]).getMethod("main", String[].class).invoke(null, (Object) new String[] {args[1]});
        KernelDevices provider = new KernelDevices();
        for (Device device : provider.devices()) {
            if (device.name().equals(System.getProperty("app.device"))) {
                NativeContext context = (NativeContext) provider.openDevice(device, null);
                line("loaded", loaded());
                line("sz", String.valueOf(context.functions().extendedSize()));
                slots(context, args[2].split(","));
                ContextTable table = table(provider, context);
                onDemand(table, context);
                context.close();
            }
        }
    }

    /** The files of rdma-core that are mapped, and no other: the library and its driver. */
    private static String loaded() throws Exception {
        return Files.readAllLines(Path.of("/proc/self/maps")).stream()
                .filter(line -> line.contains("/libibverbs.so") || line.contains("/librxe-"))
                .map(line -> line.substring(line.lastIndexOf('/') + 1))
                .distinct()
                .sorted()
                .collect(Collectors.joining(" "));
    }

    /** What the binding gives for each slot, beside what is in memory where that slot has always been. */
    private static void slots(NativeContext context, String[] names) throws Exception {
        for (int i = 0; i < names.length; i++) {
            if (!names[i].equals("-")) {
                Field offset = ExtendedContextLayout.class.getField(names[i].toUpperCase(Locale.ROOT));
                NativeFunction given = context.functions().extended(offset.getInt(null));
                String state = "not used";
                if (given != null) {
                    long there = NativeMemory.getLong(context.address() + FIRST_SLOT - (long) i * Long.BYTES);
                    // The same address is the same instance.
                    state = there != 0 && given == NativeFunction.at(there) ? "used" : "another one is used";
                }
                line("slot " + names[i], state);
            }
        }
    }

    private static ContextTable table(KernelDevices provider, NativeContext context) {
        ContextTable table = new ContextTable(ContextSlot.COUNT);
        provider.initContext(context, table);
        for (int slot = 0; slot < table.size(); slot++) {
            line("our " + ContextSlot.verb(slot), table.provider(slot) != null ? "filled" : "empty");
        }
        return table;
    }

    /**
     * Whether the device offers memory that is paged in on demand, and whether its kernel registers such memory for a C
     * program.
     */
    private static void onDemand(ContextTable table, NativeContext context) {
        DeviceAttrEx attr = new DeviceAttrEx();
        QueryDeviceEx query = (QueryDeviceEx) table.provider(ContextSlot.QUERY_DEVICE_EX);
        query.queryDeviceEx(new QueryDeviceExInput(), attr);
        line("on_demand", (attr.mrAccessFlags() & AccessFlags.ON_DEMAND) != 0 ? "offered" : "not offered");
        NativeLibrary c = NativeLibrary.getInstance("libibverbs.so.1");
        Pointer pd = c.getFunction("ibv_alloc_pd").invokePointer(new Object[] {new Pointer(context.address())});
        try (Memory memory = new Memory(PAGE)) {
            Function regMr = c.getFunction("ibv_reg_mr");
            int access = AccessFlags.LOCAL_WRITE | AccessFlags.ON_DEMAND;
            Pointer mr = regMr.invokePointer(new Object[] {pd, memory, (long) PAGE, access});
            line("on_demand_in_c", mr != null ? "registered" : "refused");
            if (mr != null) {
                c.getFunction("ibv_dereg_mr").invokeInt(new Object[] {mr});
            }
        }
        c.getFunction("ibv_dealloc_pd").invokeInt(new Object[] {pd});
    }

    private static void line(String step, String text) {
        System.out.println("result\tnative\t" + step + "\tworks\t" + text);
    }
}
