/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.kit;

import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import io.verbs4j.VerbsLevel;
import io.verbs4j.compat.kit.model.Fault;
import io.verbs4j.compat.kit.model.Traits;
import io.verbs4j.core.Verbs;
import io.verbs4j.provider.rxe.RxeProvider;
import io.verbs4j.rdmacore.NativeContext;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.junit.platform.engine.FilterResult;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.PostDiscoveryFilter;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherConfig;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/**
 * What became of the rules when the kit ran on the model with a fault: each by its number. Everything but JUnit is loaded anew,
 * so each run has a library and a device of its own.
 *
 * @param failed what the kit said
 * @param skipped the reasons
 * @param passed nothing of interest
 */
record KitRun(Map<String, String> failed, Map<String, String> skipped, Map<String, String> passed) {

    /** Loads the project's classes itself, and nothing else. */
    private static final class Fresh extends URLClassLoader {
        static {
            registerAsParallelCapable();
        }

        Fresh(URL... urls) {
            super(urls, KitRun.class.getClassLoader());
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            if (!name.startsWith("io.verbs4j.")) {
                return super.loadClass(name, resolve);
            }
            synchronized (getClassLoadingLock(name)) {
                Class<?> loaded = findLoadedClass(name);
                return loaded != null ? loaded : findClass(name);
            }
        }

        /** The registration is for this loader alone; those of the test's class path do not count. */
        @Override
        public java.util.Enumeration<URL> getResources(String name) throws IOException {
            return name.startsWith("META-INF/services/io.verbs4j") ? findResources(name) : super.getResources(name);
        }
    }

    /**
     * Any model, under any statements about it.
     *
     * @param properties those of {@link Fault}, {@link Traits} and {@link ModelKit}
     */
    static KitRun of(Map<String, String> properties, Path scratch) throws IOException, ReflectiveOperationException {
        return of(properties, scratch, id -> true);
    }

    /** As {@link #of(Map, Path)}, some of the rules alone. */
    static KitRun of(Map<String, String> properties, Path scratch, Predicate<String> rules)
            throws IOException, ReflectiveOperationException {
        Path services = Files.createTempDirectory(scratch, "services");
        if (!Fault.NOT_REGISTERED.name().equals(properties.get(Fault.PROPERTY))) {
            Path file = services.resolve("META-INF/services/io.verbs4j.spi.VerbsProvider");
            boolean extended = !Traits.capabilities(properties.getOrDefault(Traits.LACKS, ""))
                    .contains(Capability.EXTENDED);
            Files.createDirectories(file.getParent());
            Files.writeString(
                    file, "io.verbs4j.compat.kit.model." + (extended ? "ModelProvider" : "PlainProvider") + "\n");
        }
        ArrayList<URL> urls = sources(VerbsLevel.class, Verbs.class, ProviderKit.class, KitRun.class);
        urls.add(services.toUri().toURL());
        return fresh(ModelKit.class, properties, rules, urls);
    }

    /** A kit on the embedded device, set up by properties. */
    static KitRun onRxe(Class<?> kit, Map<String, String> properties) throws IOException, ReflectiveOperationException {
        Class<?>[] types = {
            VerbsLevel.class, Verbs.class, ProviderKit.class, KitRun.class, RxeProvider.class, NativeContext.class
        };
        return fresh(kit, properties, id -> true, sources(types));
    }

    private static ArrayList<URL> sources(Class<?>... types) {
        ArrayList<URL> urls = new ArrayList<>();
        for (Class<?> type : types) {
            urls.add(type.getProtectionDomain().getCodeSource().getLocation());
        }
        return urls;
    }

    private static KitRun fresh(Class<?> kit, Map<String, String> properties, Predicate<String> rules, List<URL> urls)
            throws IOException, ReflectiveOperationException {
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        properties.forEach(System::setProperty);
        try (Fresh loader = new Fresh(urls.toArray(URL[]::new))) {
            thread.setContextClassLoader(loader);
            return run(Class.forName(kit.getName(), true, loader), rules);
        } finally {
            thread.setContextClassLoader(before);
            properties.keySet().forEach(System::clearProperty);
        }
    }

    /** Rules of a kit, in the classes that are there. */
    static KitRun run(Class<?> kit, Predicate<String> rules) {
        KitRun run = new KitRun(new TreeMap<>(), new TreeMap<>(), new TreeMap<>());
        LauncherDiscoveryRequest request = LauncherDiscoveryRequestBuilder.request()
                .selectors(selectClass(kit))
                .filters((PostDiscoveryFilter)
                        test -> FilterResult.includedIf(!test.isTest() || rules.test(id(test.getDisplayName()))))
                .build();
        // Without the listener that lists skipped tests: what is skipped here is looked at here.
        LauncherConfig config = LauncherConfig.builder()
                .enableTestExecutionListenerAutoRegistration(false)
                .build();
        LauncherFactory.create(config).execute(request, new TestExecutionListener() {
            @Override
            public void executionFinished(TestIdentifier test, TestExecutionResult result) {
                if (test.isTest() || result.getStatus() != TestExecutionResult.Status.SUCCESSFUL) {
                    String id = id(test.getDisplayName());
                    String said =
                            result.getThrowable().map(Throwable::getMessage).orElse("");
                    run.by(result.getStatus()).put(id, String.valueOf(said));
                }
            }
        });
        return run;
    }

    private static String id(String displayName) {
        return displayName.split(" ", 2)[0];
    }

    private Map<String, String> by(TestExecutionResult.Status status) {
        return switch (status) {
            case FAILED -> failed;
            case ABORTED -> skipped;
            case SUCCESSFUL -> passed;
        };
    }
}
