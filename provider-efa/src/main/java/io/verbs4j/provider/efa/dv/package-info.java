/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/** What the provider and efadv share: libefa, called directly, and the open device as efadv knows it. */
package io.verbs4j.provider.efa.dv;
