/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The toString of attributes names what is set. */
class AttrTextTest {
    static List<Class<?>> attributes() {
        return List.of(
                AhAttr.class,
                AllocDmAttr.class,
                CounterAttachAttr.class,
                CqInitAttrEx.class,
                DeviceAttr.class,
                FastRegister.class,
                FlowAttr.class,
                GlobalRoute.class,
                ModifyCqAttr.class,
                MrKeyInitAttr.class,
                MwBind.class,
                OpenAttr.class,
                ParentDomainInitAttr.class,
                PortAttr.class,
                QpAttr.class,
                QpInitAttr.class,
                QpInitAttrEx.class,
                QpOpenAttr.class,
                QpRateLimitAttr.class,
                RegMrAttrEx.class,
                SrqAttr.class,
                SrqInitAttr.class,
                SrqInitAttrEx.class,
                WqAttr.class,
                WqInitAttr.class,
                XrcdInitAttr.class);
    }

    private static Stream<Method> setters(Class<?> type) {
        return Stream.of(type.getDeclaredMethods())
                .filter(method -> Modifier.isPublic(method.getModifiers())
                        && !Modifier.isStatic(method.getModifiers())
                        && method.getReturnType() == type
                        && method.getParameterCount() == 1)
                // Not attributes of their own: a copy, and the lower half of deviceCaps.
                .filter(method ->
                        !List.of("withAddressOfBuffer", "deviceCapFlags").contains(method.getName()))
                .filter(method -> List.of(int.class, long.class).contains(method.getParameterTypes()[0]));
    }

    /** Whatever number is set, its name is in the text; a new instance has none. */
    @ParameterizedTest
    @MethodSource("attributes")
    void everyNumberSetterShowsInText(Class<?> type) throws ReflectiveOperationException {
        Constructor<?> constructor = type.getConstructor();
        String before = constructor.newInstance().toString();
        assertThat(before).doesNotContain("@");
        for (Method setter : setters(type).toList()) {
            Object attr = constructor.newInstance();
            boolean wide = setter.getParameterTypes()[0] == long.class;
            setter.invoke(attr, wide ? (Object) 4L : (Object) 4);
            assertThat(before).doesNotContain(setter.getName() + " ");
            assertThat(attr.toString()).as("%s of %s", setter.getName(), type).contains(setter.getName() + " ");
        }
    }

    @Test
    void constantsHaveTheirNames() {
        AhAttr path = new AhAttr().portNum(1).dlid(7).isGlobal(true);
        path.grh().dgid(Gid.of(0xfe80_0000_0000_0000L, 1)).hopLimit(64);
        QpAttr attr = new QpAttr()
                .qpState(QpState.RESET)
                .pathMtu(Mtu.MTU_1024)
                .qkey(-1)
                .qpAccessFlags(AccessFlags.REMOTE_READ | AccessFlags.REMOTE_WRITE)
                .ahAttr(path);
        assertThat(attr)
                .hasToString(
                        "pathMtu MTU_1024, qkey 0xffffffff, qpAccessFlags REMOTE_WRITE|REMOTE_READ, ahAttr (grh (dgid"
                                + " fe80:0000:0000:0000:0000:0000:0000:0001, hopLimit 64), dlid 7, isGlobal true,"
                                + " portNum 1), mask STATE|ACCESS_FLAGS|QKEY|AV|PATH_MTU");
        assertThat(new PortAttr().state(PortState.ACTIVE).maxMtu(Mtu.MTU_4096).linkLayer(LinkLayer.ETHERNET))
                .hasToString("state active, maxMtu MTU_4096, linkLayer Ethernet");
        assertThat(new QpInitAttr().qpType(QpType.RC))
                .asString()
                .startsWith("cap (maxSendWr 0, ")
                .contains("qpType RC");
        assertThat(new SrqAttr().srqLimit(0)).hasToString("mask LIMIT");
        assertThat(new ModifyCqAttr()).hasToString("nothing set");
        assertThat(new RegMrAttrEx().addr(0x7f00).length(3).access(AccessFlags.LOCAL_WRITE))
                .hasToString("length 3, access LOCAL_WRITE, addr 0x7f00");
    }

    /** Each index has its accessor, and shows in the text even if its value is 0. */
    @Test
    void filledFieldsShowInText() throws ReflectiveOperationException {
        assertThat(new DeviceAttrEx()).hasToString("nothing filled");
        DeviceAttrEx device = new DeviceAttrEx();
        List<String> names = new ArrayList<>();
        for (Field index : DeviceAttrEx.class.getFields()) {
            if (index.getDeclaringClass() == DeviceAttrEx.class) {
                fill(device, index.getInt(null), DeviceAttrEx.class.getMethod(reader(index.getName())));
                names.add(reader(index.getName()) + " ");
            }
        }
        assertThat(names).hasSizeGreaterThan(40);
        assertThat(device.toString()).contains(names);

        ContextAttr context = new ContextAttr();
        context.offer(ContextAttr.CALLER_LEVEL, 3);
        context.offer(ContextAttr.PROVIDER_NAME, "rxe");
        assertThat(context).hasToString("callerLevel 3, providerName rxe");
    }

    private static String reader(String constant) {
        StringBuilder name = new StringBuilder();
        for (String word : constant.split("_", -1)) {
            name.append(word.charAt(0)).append(word.substring(1).toLowerCase(Locale.ROOT));
        }
        return name.substring(0, 1).toLowerCase(Locale.ROOT) + name.substring(1);
    }

    private static void fill(DeviceAttrEx attr, int index, Method reader) {
        Class<?> type = reader.getReturnType();
        Object nothing = type == long.class ? (Object) 0L : type == int.class ? (Object) 0 : new DeviceAttr();
        assertThat(attr.offer(index, nothing)).isTrue();
    }

    /** They may be anything, and large. */
    @Test
    void programObjectsShowAsTheirClass() {
        Object own = new Object() {
            @Override
            public String toString() {
                throw new AssertionError("asked");
            }
        };
        assertThat(new CqInitAttrEx().cqe(4).userContext(new ArrayList<>(List.of(own))))
                .hasToString("cqe 4, userContext (ArrayList)");
    }
}
