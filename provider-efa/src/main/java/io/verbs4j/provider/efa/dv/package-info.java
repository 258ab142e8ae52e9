/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/** What the provider and efadv share: direct calls to libefa, and the open device as efadv sees it. */
package io.verbs4j.provider.efa.dv;
