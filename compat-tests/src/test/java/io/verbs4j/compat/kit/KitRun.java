/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.kit;

import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import io.verbs4j.VerbsLevel;
import io.verbs4j.compat.kit.model.Fault;
import io.verbs4j.core.Verbs;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Map;
import java.util.TreeMap;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
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

    static KitRun of(Fault fault, Path scratch) throws IOException, ReflectiveOperationException {
        Path services = Files.createTempDirectory(scratch, "services");
        if (fault != Fault.NOT_REGISTERED) {
            Path file = services.resolve("META-INF/services/io.verbs4j.spi.VerbsProvider");
            Files.createDirectories(file.getParent());
            Files.writeString(file, "io.verbs4j.compat.kit.model.ModelProvider\n");
        }
        ArrayList<URL> urls = new ArrayList<>();
        for (Class<?> type : new Class<?>[] {VerbsLevel.class, Verbs.class, ProviderKit.class, KitRun.class}) {
            urls.add(type.getProtectionDomain().getCodeSource().getLocation());
        }
        urls.add(services.toUri().toURL());
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        System.setProperty(Fault.PROPERTY, fault == null ? "" : fault.name());
        try (Fresh loader = new Fresh(urls.toArray(URL[]::new))) {
            thread.setContextClassLoader(loader);
            return run(Class.forName(ModelKit.class.getName(), true, loader));
        } finally {
            thread.setContextClassLoader(before);
            System.clearProperty(Fault.PROPERTY);
        }
    }

    private static KitRun run(Class<?> kit) {
        KitRun run = new KitRun(new TreeMap<>(), new TreeMap<>(), new TreeMap<>());
        LauncherDiscoveryRequest request = LauncherDiscoveryRequestBuilder.request()
                .selectors(selectClass(kit))
                .build();
        // Without the listener that lists skipped tests: what is skipped here is looked at here.
        LauncherConfig config = LauncherConfig.builder()
                .enableTestExecutionListenerAutoRegistration(false)
                .build();
        LauncherFactory.create(config).execute(request, new TestExecutionListener() {
            @Override
            public void executionFinished(TestIdentifier test, TestExecutionResult result) {
                if (test.isTest() || result.getStatus() != TestExecutionResult.Status.SUCCESSFUL) {
                    String id = test.getDisplayName().split(" ", 2)[0];
                    String said =
                            result.getThrowable().map(Throwable::getMessage).orElse("");
                    run.by(result.getStatus()).put(id, String.valueOf(said));
                }
            }
        });
        return run;
    }

    private Map<String, String> by(TestExecutionResult.Status status) {
        return switch (status) {
            case FAILED -> failed;
            case ABORTED -> skipped;
            case SUCCESSFUL -> passed;
        };
    }
}
