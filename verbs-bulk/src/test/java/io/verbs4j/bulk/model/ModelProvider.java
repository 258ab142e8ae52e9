/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk.model;

import io.verbs4j.Context;
import io.verbs4j.ContextOps;
import io.verbs4j.ContextTable;
import io.verbs4j.Device;
import io.verbs4j.VerbsLevel;
import io.verbs4j.core.Verbs;
import io.verbs4j.spi.ExtendedProvider;
import io.verbs4j.spi.VerbsProvider;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.concurrent.ConcurrentHashMap;

/** Devices that report few abilities; as on real devices, other operations fail. */
public final class ModelProvider implements ExtendedProvider {
    private static final Map<Context, Removal> REMOVALS = new ConcurrentHashMap<>();
    private static volatile List<ModelDevice> offered = List.of();

    /** For {@link ServiceLoader}. */
    public ModelProvider() {}

    /** Opens a device with the abilities of a model, backed by the first or the second embedded device. */
    public static Context open(int number, Model model) {
        Device embedded = Verbs.devices().get(number);
        synchronized (ModelProvider.class) {
            ModelDevice device = new ModelDevice(embedded, model);
            offered = List.of(device);
            try {
                return Verbs.open(
                        Verbs.devices().stream()
                                .filter(one -> one.name().equals(device.name()))
                                .findFirst()
                                .orElseThrow(),
                        VerbsLevel.CURRENT);
            } finally {
                offered = List.of();
            }
        }
    }

    /** Returns the removal of an open model device. */
    public static Removal removal(Context context) {
        return REMOVALS.get(context);
    }

    /** Closes the embedded device of a model that the library keeps open. */
    public static void abandon(Context context) {
        REMOVALS.remove(context).abandon();
    }

    static void closed(Removal removal) {
        REMOVALS.values().remove(removal);
    }

    @Override
    public String name() {
        return "model";
    }

    @Override
    public int level() {
        return 3;
    }

    @Override
    public int minimumLibraryLevel() {
        return 3;
    }

    @Override
    public List<? extends Device> devices() {
        return offered;
    }

    private static ExtendedProvider embedded() {
        return ServiceLoader.load(VerbsProvider.class).stream()
                .map(ServiceLoader.Provider::get)
                .filter(provider -> provider.name().equals("rxe"))
                .map(ExtendedProvider.class::cast)
                .findFirst()
                .orElseThrow();
    }

    @Override
    public ContextOps openDevice(Device device, Context context) {
        ModelDevice own = (ModelDevice) device;
        ContextOps ops = embedded().openDevice(own.embedded, context);
        Removal removal = new Removal(ops, context);
        REMOVALS.put(context, removal);
        return (ContextOps) Proxy.newProxyInstance(
                ModelProvider.class.getClassLoader(),
                new Class<?>[] {ContextOps.class},
                new ModelVerbs(ops, own.model, removal));
    }

    @Override
    public void initContext(ContextOps opened, ContextTable table) {
        ModelVerbs verbs = (ModelVerbs) Proxy.getInvocationHandler(opened);
        ContextTable whole = new ContextTable(table.size());
        embedded().initContext(verbs.ops(), whole);
        for (int slot = 0; slot < table.size(); slot++) {
            Object function = whole.provider(slot);
            if (function != null) {
                boolean filled = table.fillProvider(slot, verbs.narrow(slot, function));
                assert filled;
            }
        }
    }
}
