/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/** Memory that is not a Java object, by address. */
package io.verbs4j.natives.memory;
